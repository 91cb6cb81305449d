"""Three-letter codes of federations, current ones and those of old reports and lists."""

FEDERATIONS = frozenset(
    """
    AFG AHO ALB ALG AND ANG ANT ARG ARM ARU AUS AUT AZE BAH BAN BAR BDI BEL BEN BER BHU BIH BIZ BLR BOL BOT BRA BRN
    BRU BUL BUR CAF CAM CAN CAY CGO CHA CHI CHN CIV CMR COD COK COL COM CPV CRC CRO CUB CYP CZE DEN DJI DMA DOM ECU
    EGY ENG ERI ESA ESP EST ETH FAI FIJ FIN FRA GAB GAM GBS GCI GEO GEQ GER GHA GRE GRL GRN GUA GUI GUM GUY HAI HKG
    HON HUN INA IND IOM IRI IRL IRQ ISL ISR ISV ITA IVB JAM JCI JOR JPN KAZ KEN KGZ KIR KOR KOS KSA KUW LAO LAT LBA
    LBN LBR LCA LES LIE LTU LUX MAC MAD MAR MAS MAW MDA MDV MEX MGL MKD MLI MLT MNC MNE MOZ MRI MTN MYA NAM NCA NCL
    NED NEP NGR NIG NOR NRU NZL OMA PAK PAN PAR PER PHI PLE PLW PNG POL POR PRK PUR QAT ROU RSA RUS RWA SAM SCO SEN
    SEY SGP SKN SLE SLO SMR SOL SOM SRB SRI SSD STP SUD SUI SUR SVK SWE SWZ SYR TAN TGA THA TJK TKM TLS TOG TPE TTO
    TUN TUR TUV UAE UGA UKR URU USA UZB VAN VEN VIE VIN WLS YEM ZAM ZIM
    CSR FRG FYR GDR LIB ROM SCG SIN TCH TRI URS YUG
    FID NON
    """.split()
)
"""The last two rows: former federations and codes; FIDE's own flag and players without federation."""


def is_foreign(federation: str, home: str) -> bool:
    """Return whether a player is known to belong to another federation than the office's own.

    No code, and a code that is no federation's (often a club's), say nothing: unknown is not foreign.
    """
    code = federation.strip().upper()
    return code != home and code in FEDERATIONS


def known_federation(text: str, home: str) -> str:
    """Return the code of a federation in capital letters; an empty text if it is the code of none."""
    code = text.strip().upper()
    return code if code == home or code in FEDERATIONS else ""


ALL, HOME, MEMBERS = "all", "home", "members"
RULES = (ALL, HOME, MEMBERS)
