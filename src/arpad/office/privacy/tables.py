"""The verbs of privacy."""

from arpad.store.declared_tables import writes

writes("erase", "hidden_players -monitor_pages", names_none="numbers")
writes("hide-player", "hidden_players -monitor_pages")
writes("player-data", "")
writes("show-player", "-hidden_players -monitor_pages")
