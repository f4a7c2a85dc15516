"""What a hostile or an unlucky world does to glasstree; each attack must work or be one sentence.

cd benchmarks && python -m attack [KIND ...] [--minutes N] [--seed N]

A kind is a generator of (label, call): see files.py, exports.py and behaviour.py. A call that
returns worked, one that raises a GlasstreeError was refused, all else is unexpected.
"""
