//! The wire: requests, answers, error codes and the one list of commands.
