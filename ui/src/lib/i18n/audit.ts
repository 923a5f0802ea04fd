import type { AuditEntry } from '$lib/api/generated/AuditEntry';
import { m } from '$lib/paraglide/messages';

/** What was done, in words. An action that this version does not know keeps its own name. */
export function auditAction(action: string): string {
  const known: Record<string, () => string> = {
    acceptance_differs: m.audit_action_acceptance_differs,
    acceptance_passed: m.audit_action_acceptance_passed,
    account_removed: m.audit_action_account_removed,
    addresses_imported: m.audit_action_addresses_imported,
    addresses_set_aside: m.audit_action_addresses_set_aside,
    operator_added: m.audit_action_operator_added,
    password_changed: m.audit_action_password_changed,
    preparing: m.audit_action_preparing,
    ready: m.audit_action_ready,
    sign_in_copied: m.audit_action_sign_in_copied,
    signed_in: m.audit_action_signed_in,
    signed_out: m.audit_action_signed_out,
  };
  return Object.hasOwn(known, action) ? (known[action]?.() ?? action) : action;
}

/** Who did it: a name where there is one. */
export function auditActor(entry: AuditEntry): string {
  if (entry.actor_name !== null) return entry.actor_name;
  if (entry.actor === 'command-line') return m.audit_command_line();
  return entry.actor === 'idle-accounts' ? m.audit_idle_job() : entry.actor;
}
