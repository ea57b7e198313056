"""The parts of ``benchmarks/inference.py``: one workload, several engines that answer it in turn."""
