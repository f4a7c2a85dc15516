"""Power-law terms of normalised states, compiled.

docs/algorithm.md, section 2.
"""

import numpy as np

from glasstree.compiled import integers2, kernel, reals2
from glasstree.policy.arrays import Floats, Ints


@kernel(reals2(reals2, integers2), error_model="numpy")
def power_terms(columns: Floats, exponents: Ints) -> Floats:
    """Evaluate (terms, variables) exponents on (variables, n) columns: (terms, n)."""
    n_terms, n_variables = exponents.shape
    n = columns.shape[1]
    terms = np.ones((n_terms, n))
    for term in range(n_terms):
        for variable in range(n_variables):
            exponent = exponents[term, variable]
            if exponent == 0:
                continue
            for i in range(n):
                value = columns[variable, i]
                raised = value
                for _ in range(abs(exponent) - 1):
                    raised *= value
                terms[term, i] *= 1.0 / raised if exponent < 0 else raised
    return terms
