//! The shell and nothing else: a window, and three ways into the one list of commands.
