"""The parts of ``benchmarks/recall.py``: data sets, rankers, what is counted, what it costs."""
