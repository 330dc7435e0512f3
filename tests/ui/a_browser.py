"""A browser for an app in the same process."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # starlette would like another package than the httpx that NiceGUI brings
    from starlette.testclient import TestClient, WebSocketDisconnect

__all__ = ["TestClient", "WebSocketDisconnect"]
