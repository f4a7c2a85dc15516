"""Certificates hold for their policy alone, and only as they were written."""

import json
from pathlib import Path

import numpy as np
import pytest

from glasstree.errors import CertificateError
from glasstree.policy import load
from glasstree.prove import certificates, check_certificate, prove, write_certificate
from proof_policies import balancing, following, rocking

SUBJECTS = {
    "tube": (rocking(), ()),
    "cells": (balancing(), ()),
    "gaps": (following(), ()),
    "boxes": (
        load("examples/policies/paper_cartpole.json"),
        ("theta > 0.05 and omega > 0 => right",),
    ),
}


@pytest.fixture(scope="module", params=SUBJECTS)
def subject(request, tmp_path_factory):
    tree, claims = SUBJECTS[request.param]
    path = tmp_path_factory.mktemp("certificates") / "proof.json"
    found = prove(tree, *claims)
    write_certificate(path, tree, found.answers)
    return request.param, tree, path


def test_a_certificate_holds(subject):
    kind, tree, path = subject
    claims = check_certificate(path, tree)
    evidence = json.loads(path.read_text())["proofs"]
    assert [proof["evidence"]["kind"] for proof in evidence] == [kind]
    assert claims == [proof["claim"] for proof in evidence]


def numbers_of(value, way=()):
    """Yield the way to every number of plain data."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers_of(inner, (*way, key))
    elif isinstance(value, list):
        for key, inner in enumerate(value):
            yield from numbers_of(inner, (*way, key))
    elif isinstance(value, int | float):
        yield way


def changed(content, way):
    """Return data with one number changed."""
    copy = json.loads(json.dumps(content))
    inner = copy
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] += 1
    return copy


def test_one_changed_number_is_refused(subject, tmp_path):
    _, tree, path = subject
    content = json.loads(path.read_text())
    ways = list(numbers_of(content))
    generator = np.random.default_rng(0)
    for place in generator.integers(len(ways), size=10):
        other = tmp_path / "changed.json"
        other.write_text(json.dumps(changed(content, ways[place])))
        with pytest.raises(CertificateError):
            check_certificate(other, tree)


def forge(content, path):
    """Write a changed certificate with a right digest."""
    content.pop("digest")
    content["digest"] = certificates._digest(content)
    path.write_text(json.dumps(content))


LONGEST_RUN = -1  # of cells that are reached: it loses one
FORGERIES = {
    "tube": [("steps", 0, 60), ("edges", 0, -0.59)],
    "cells": [("runs", LONGEST_RUN, None), ("low", 0, -0.25)],
    "gaps": [("low", 5, 100.0), ("high", 5, 20.0)],
    "boxes": [("halves", slice(3, None), None)],
}


def test_a_forged_certificate_does_not_hold(subject, tmp_path):
    kind, tree, path = subject
    for field, place, value in FORGERIES[kind]:
        content = json.loads(path.read_text())
        evidence = content["proofs"][0]["evidence"]
        if isinstance(place, slice):
            del evidence[field][place]
        elif place == LONGEST_RUN:
            longest = 2 * int(np.argmax(evidence[field][1::2])) + 1
            evidence[field][longest] -= 1
            evidence[field][longest - 1] += 1
        else:
            evidence[field][place] = value
        other = tmp_path / "forged.json"
        forge(content, other)
        with pytest.raises(CertificateError):
            check_certificate(other, tree)


def test_a_claim_that_the_evidence_does_not_show_is_refused(subject, tmp_path):
    kind, tree, path = subject
    content = json.loads(path.read_text())
    content["proofs"][0]["claim"] = "theta > 0 => right" if kind == "boxes" else "all is well"
    other = tmp_path / "forged.json"
    forge(content, other)
    with pytest.raises(CertificateError):
        check_certificate(other, tree)


def test_a_certificate_of_another_policy_is_refused(subject):
    _, tree, path = subject
    parameters = tree.parameters()
    parameters[0] *= 1.0 + 1e-9
    with pytest.raises(CertificateError, match="of another policy"):
        check_certificate(path, tree.with_parameters(parameters))


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "glasstree-certificate"}', "{" * 9])
def test_what_is_no_certificate_gets_one_sentence(tmp_path: Path, text):
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(CertificateError, match="broken"):
        check_certificate(path, balancing())


def test_nothing_proved_leaves_nothing_to_write(tmp_path: Path):
    found = prove(balancing(), "omega > 0 => right")
    with pytest.raises(CertificateError, match="nothing is proved"):
        write_certificate(tmp_path / "proof.json", balancing(), found.answers)
    assert not list(tmp_path.iterdir())
