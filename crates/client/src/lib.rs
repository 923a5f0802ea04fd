//! The desktop without a window: HTTP, encrypted cache, sync, outbox, address checking, QR.
