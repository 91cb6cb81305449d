"""The editions of the regulations that apply in an office: the printed ones and its own."""

PARTS = {
    "site_facts": "acts",
}
