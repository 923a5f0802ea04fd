//! Use cases: the only place where transactions begin.
