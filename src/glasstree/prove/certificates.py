"""Certificates: what was proved, as data that is checked by other means than it was found."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from glasstree.errors import CertificateError
from glasstree.files.strict_json import parse
from glasstree.files.writing import write_atomically
from glasstree.policy import PolicyTree
from glasstree.policy.document import dumps
from glasstree.prove.answers import Answer
from glasstree.prove.checks import decisions, gaps, invariants, tubes

FORMAT, VERSION = "glasstree-certificate", 1
# kind of evidence -> check(evidence, claim, tree), which raises what is wrong
CHECKS: dict[str, Callable[[Mapping[str, Any], str, PolicyTree], None]] = {
    "boxes": decisions.check,
    "tube": tubes.check,
    "cells": invariants.check,
    "gaps": gaps.check,
}


def digest_of(tree: PolicyTree) -> str:
    """Return a digest of all that a policy document holds."""
    return hashlib.sha256(dumps(tree).encode()).hexdigest()


def write_certificate(path: str | Path, tree: PolicyTree, answers: Sequence[Answer]) -> None:
    """Write the claims that are proved and can be checked, with what they rest on."""
    proofs = [
        {"claim": answer.claim, "evidence": dict(answer.evidence)}
        for answer in answers
        if answer.verdict == "proved" and answer.evidence
    ]
    if not proofs:
        raise CertificateError(
            "nothing is proved that a certificate could keep; prove a claim first"
        )
    content: dict[str, Any] = {"format": FORMAT, "version": VERSION, "task": tree.task}
    content |= {"policy": digest_of(tree), "proofs": proofs}
    content["digest"] = _digest(content)
    write_atomically(path, json.dumps(content, allow_nan=False).encode())


def check_certificate(path: str | Path, tree: PolicyTree) -> list[str]:
    """Check every proof of a certificate of this policy; return the claims that hold."""
    content = _read(path)
    if content["policy"] != digest_of(tree):
        raise CertificateError(
            f"{str(path)!r} is a certificate of another policy, or of one that was changed since; "
            "write a new one with --certificate"
        )
    for proof in content["proofs"]:
        kind = proof["evidence"].get("kind")
        if kind not in CHECKS:
            raise CertificateError(f"{str(path)!r} has evidence of an unknown kind, {kind!r}")
        try:
            CHECKS[kind](proof["evidence"], proof["claim"], tree)
        except (
            KeyError,
            TypeError,
            IndexError,
            ValueError,
            AttributeError,
            OverflowError,
        ) as error:
            if isinstance(error, CertificateError):
                raise
            raise CertificateError(
                f"{str(path)!r} is damaged ({type(error).__name__}: {error}); write a new one"
            ) from None
    return [str(proof["claim"]) for proof in content["proofs"]]


def _read(path: str | Path) -> dict[str, Any]:
    try:
        content = parse(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise CertificateError(f"{str(path)!r} is not a certificate: {error}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise CertificateError(
            f"{str(path)!r} is not a certificate; write one with glasstree prove --certificate"
        )
    if content.get("version") != VERSION:
        raise CertificateError(
            f"{str(path)!r} has version {content.get('version')!r}, not {VERSION}"
        )
    given = content.pop("digest", None)
    if given != _digest(content):
        raise CertificateError(f"{str(path)!r} was changed after it was written; write a new one")
    if not isinstance(content.get("proofs"), list):
        raise CertificateError(f"{str(path)!r} holds no proofs; write a new one")
    return content


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
