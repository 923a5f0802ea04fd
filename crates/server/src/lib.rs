//! The server program: routes, sessions, jobs, configuration, metrics.
