"""The calculators as commands and addresses of the API: each with its name and the document of its answer."""

from arpad.explain.calculator_documents import (
    ChangeDocument,
    CoefficientDocument,
    EntryDocument,
    ExpectedDocument,
    PerformanceDocument,
    RoundRobinDocument,
    change_document,
    coefficient_document,
    entry_document,
    expected_document,
    performance_document,
    round_robin_document,
)
from arpad.explain.documents import Calculation
from arpad.rating.calculator import (
    calculate_change,
    calculate_entry_rating,
    calculate_expected_score,
    calculate_k,
    calculate_performance,
    calculate_round_robin,
)

CHANGE = Calculation("calc change", calculate_change, change_document, ChangeDocument)
INITIAL = Calculation("calc initial", calculate_entry_rating, entry_document, EntryDocument)
ROUND_ROBIN = Calculation("calc round-robin", calculate_round_robin, round_robin_document, RoundRobinDocument)
K = Calculation("calc k", calculate_k, coefficient_document, CoefficientDocument)
PERFORMANCE = Calculation(
    "calc performance", calculate_performance, performance_document, PerformanceDocument
)
EXPECTED = Calculation("calc expected", calculate_expected_score, expected_document, ExpectedDocument)
OF_CHESS = (CHANGE, INITIAL, ROUND_ROBIN, K, PERFORMANCE, EXPECTED)
