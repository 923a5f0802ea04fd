//! The macro behind both command lists, and what each entry says.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Who may give a command. Ownership and the state of the sign-in are checked by the use case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Anybody, signed in or not.
    Everyone,
    /// A signed-in customer.
    Customer,
    /// A signed-in operator of any role.
    Operator,
    /// Only where networks are simulated; refused everywhere else.
    Sandbox,
}

/// One entry of a command list.
pub trait Command {
    /// The name on the wire.
    const NAME: &'static str;
    /// Who may give it.
    const AUDIENCE: Audience;
    /// What is sent.
    type Request: DeserializeOwned + Serialize;
    /// What comes back.
    type Answer: DeserializeOwned + Serialize;
}

/// An entry of a command list, as data: for routes, documents and the authorization matrix.
#[derive(Clone, Copy)]
pub struct CommandInfo {
    /// The name on the wire.
    pub name: &'static str,
    /// What the command does, from its doc comment.
    pub about: &'static str,
    /// Who may give it.
    pub audience: Audience,
    /// JSON schema of the request.
    pub request_schema: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    /// JSON schema of the answer.
    pub answer_schema: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    /// TypeScript name of the request.
    pub request_type: fn(&ts_rs::Config) -> String,
    /// TypeScript name of the answer.
    pub answer_type: fn(&ts_rs::Config) -> String,
    /// Writes the TypeScript types of both with all they are made of.
    pub export_types: fn(&ts_rs::Config) -> Result<(), ts_rs::ExportError>,
}

/// Declares a command list: a marker type per command, the list as data, the trait that a host must implement whole,
/// and the dispatch by name. A host that lacks a handler does not compile.
macro_rules! commands {
    ($(#[doc = $trait_doc:literal])+ trait $handlers:ident;
     $( #[doc = $doc:literal] $marker:ident $method:ident($request:ty) -> $answer:ty, $audience:ident; )+) => {
        $(
            #[doc = $doc]
            #[derive(Clone, Copy, Debug)]
            pub struct $marker;

            impl $crate::Command for $marker {
                const NAME: &'static str = stringify!($method);
                const AUDIENCE: $crate::Audience = $crate::Audience::$audience;
                type Request = $request;
                type Answer = $answer;
            }
        )+

        /// Every command of this list.
        pub const COMMANDS: &[$crate::CommandInfo] = &[$(
            $crate::CommandInfo {
                name: stringify!($method),
                about: $doc,
                audience: $crate::Audience::$audience,
                request_schema: |generator| generator.subschema_for::<$request>(),
                answer_schema: |generator| generator.subschema_for::<$answer>(),
                request_type: |config| <$request as ts_rs::TS>::name(config),
                answer_type: |config| <$answer as ts_rs::TS>::name(config),
                export_types: |config| {
                    <$request as ts_rs::TS>::export_all(config)?;
                    <$answer as ts_rs::TS>::export_all(config)
                },
            },
        )+];

        $(#[doc = $trait_doc])+
        pub trait $handlers {
            /// Who is asking, as the host knows them.
            type Caller;
            $(
                #[doc = $doc]
                fn $method(&self, caller: &Self::Caller, request: $request) -> Result<$answer, $crate::ApiError>;
            )+
        }

        /// Reads a request, has it handled, and writes the answer. `None` when the list has no such command.
        pub fn dispatch<H: $handlers + ?Sized>(
            host: &H,
            caller: &H::Caller,
            name: &str,
            body: &[u8],
        ) -> Option<Result<Vec<u8>, $crate::ApiError>> {
            match name {
                $(
                    stringify!($method) => Some($crate::command::read(body).and_then(|request: $request| {
                        $crate::command::write(&host.$method(caller, request)?)
                    })),
                )+
                _ => None,
            }
        }
    };
}
pub(crate) use commands;

/// Reads a request body strictly.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, crate::ApiError> {
    serde_json::from_slice(body).map_err(|error| crate::ErrorCode::BadRequest { reason: error.to_string() }.into())
}

/// Writes an answer body.
pub(crate) fn write<T: Serialize>(answer: &T) -> Result<Vec<u8>, crate::ApiError> {
    serde_json::to_vec(answer).map_err(|_| crate::ErrorCode::Internal.into())
}
