"""The vectorised functions agree with NumPy's."""

import numpy as np

from glasstree.openloop.upper.elementary import exponentiate, logistic_losses

VALUES = np.concatenate([np.linspace(-40, 40, 4001), np.linspace(-690, 690, 4001)])


def test_exponentials_agree() -> None:
    found = VALUES.copy()
    exponentiate(found)
    np.testing.assert_allclose(found, np.exp(VALUES), rtol=1e-9)


def test_exponentials_stay_finite() -> None:
    found = np.array([1e300, -1e300, np.inf, -np.inf, 0.0])
    exponentiate(found)
    assert np.isfinite(found).all()
    assert found[-1] == 1.0


def test_logistic_losses_agree() -> None:
    found = VALUES.copy()
    logistic_losses(found)
    np.testing.assert_allclose(found, np.logaddexp(0.0, -VALUES), rtol=1e-9)
