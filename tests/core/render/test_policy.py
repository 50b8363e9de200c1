"""The policy of a preview, word by word (design §5)."""

from __future__ import annotations

from vitrail.core.render.policy import (
    PERMISSIONS_OFF,
    Policy,
    content_security_policy,
    document_headers,
    words_headers,
)

APP = "http://127.0.0.1:7717"
OWN = "http://localhost:7718/p/secret/"
POLICY = Policy(OWN, (APP,))


def test_the_policy_of_a_drawn_document() -> None:
    assert content_security_policy(POLICY).split("; ") == [
        "sandbox allow-scripts allow-downloads allow-forms",
        "default-src 'none'",
        f"script-src {OWN} 'unsafe-inline' 'unsafe-eval'",
        f"style-src {OWN} 'unsafe-inline'",
        f"img-src {OWN} data: blob:",
        f"font-src {OWN} data: blob:",
        f"media-src {OWN} data: blob:",
        f"connect-src {OWN}",
        f"frame-src {OWN}",
        "worker-src blob:",
        "object-src 'none'",
        "form-action 'none'",
        "base-uri 'none'",
        f"frame-ancestors {APP}",
    ]


def test_no_policy_gives_an_origin() -> None:
    for policy in (POLICY, Policy(None, ()), Policy(OWN, (), has_scripts=False)):
        assert "allow-same-origin" not in content_security_policy(policy)


def test_a_page_of_a_source_runs_no_script() -> None:
    policy = content_security_policy(Policy(OWN, (APP,), has_scripts=False))
    assert "sandbox allow-downloads; " in policy
    assert "script-src 'none'; " in policy
    assert "worker-src 'none'; " in policy


def test_a_page_of_words_loads_nothing_of_an_artifact() -> None:
    policy = words_headers((APP,))["content-security-policy"]
    assert "connect-src 'none'" in policy
    assert "img-src data: blob:" in policy
    assert f"frame-ancestors {APP}" in policy


def test_nobody_may_frame_a_preview_that_names_no_ancestors() -> None:
    policy = content_security_policy(Policy(OWN, ()))
    assert policy.endswith("frame-ancestors 'none'")


def test_the_headers_beside_the_policy() -> None:
    headers = document_headers(POLICY)
    assert headers["access-control-allow-origin"] == "*"
    assert headers["origin-agent-cluster"] == "?1"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert headers["x-dns-prefetch-control"] == "off"
    assert "set-cookie" not in headers


def test_every_permission_is_off() -> None:
    value = document_headers(POLICY)["permissions-policy"]
    assert value.split(", ") == [f"{feature}=()" for feature in PERMISSIONS_OFF]
    assert {"camera", "microphone", "geolocation", "payment", "usb"} < set(
        PERMISSIONS_OFF
    )
    assert list(PERMISSIONS_OFF) == sorted(PERMISSIONS_OFF)
