import { m } from '$lib/paraglide/messages';

/** The name of a form's field, as it stands on the screen. */
function fieldName(field: string): string {
  const names: Record<string, () => string> = {
    first_name: m.field_first_name,
    last_name: m.field_last_name,
    email: m.field_email,
    password: m.field_password,
    new_password: m.field_new_password,
    old_password: m.field_old_password,
    authenticator_code: m.field_authenticator_code,
    lots: m.field_lots,
    days: m.field_days,
    preparation: m.field_preparation,
    ssh_public_key: m.field_ssh_key,
    host: m.field_host,
    port: m.field_port,
    user: m.field_user,
    host_key_fingerprint: m.field_host_key,
    host_key: m.field_host_key,
    public_key: m.field_ssh_key,
    notebook_url: m.field_notebook_url,
    notebook_token: m.field_notebook_token,
    notes: m.field_notes,
    devices: m.field_devices,
    device_names: m.field_device_names,
    memory_mib: m.field_memory_mib,
    driver: m.field_driver,
    amount: m.field_amount,
    address: m.field_address,
    expected_at: m.field_expected_at,
    login_verified_at: m.field_login_verified,
  };
  const last = field.split('.').at(-1) ?? field;
  return (names[last] ?? (() => field))();
}

/** Why a field was refused, as a sentence that names it. */
export function fieldReason(field: string, reason: string): string {
  const name = fieldName(field);
  if (field.endsWith('password')) {
    const known = passwordReasonOrNull(reason);
    if (known !== null) return known;
  }
  if (field.endsWith('public_key')) return sshKeyReason(reason);
  switch (reason) {
    case 'missing':
    case 'empty':
      return m.field_reason_empty({ field: name });
    case 'too_short':
      return m.field_reason_too_short({ field: name });
    case 'too_long':
      return m.field_reason_too_long({ field: name });
    case 'out_of_range':
    case 'not_sold':
    case 'port':
    case 'host':
    case 'lists_differ':
      return m.field_reason_out_of_range({ field: name });
    case 'at_signs':
    case 'empty_part':
      return m.field_reason_email();
    case 'space':
    case 'space_or_hidden':
    case 'hidden':
    case 'hidden_character':
      return m.field_reason_hidden({ field: name });
    case 'leading_dash':
      return m.field_reason_dash({ field: name });
    case 'character':
      return m.field_reason_character({ field: name });
    case 'fingerprint':
    case 'md5_fingerprint':
      return m.field_reason_fingerprint();
    case 'url':
    case 'plain_http':
      return m.field_reason_url();
    case 'not_exactly_one_login':
      return m.field_reason_one_login();
    default:
      return m.field_reason_other({ field: name, reason });
  }
}

function passwordReasonOrNull(reason: string): string | null {
  const known: Record<string, () => string> = {
    too_short: m.password_too_short,
    too_long: m.password_too_long,
    few_characters: m.password_few_characters,
    repeated: m.password_repeated,
    account: m.password_account,
    product: m.password_product,
    common: m.password_common,
    run: m.password_run,
  };
  return known[reason]?.() ?? null;
}

/** Why a password is refused. */
export function passwordReason(reason: string): string {
  return passwordReasonOrNull(reason) ?? m.password_other({ reason });
}

/** Why a public key is refused. */
export function sshKeyReason(reason: string): string {
  const known: Record<string, () => string> = {
    empty: m.ssh_empty,
    too_long: m.ssh_too_long,
    word_for_nothing: m.ssh_empty,
    fingerprint: m.ssh_fingerprint,
    private_key: m.ssh_private_key,
    putty_form: m.ssh_putty_form,
    several_keys: m.ssh_several_keys,
    type_missing: m.ssh_type_missing,
    options: m.ssh_options,
    unknown_type: m.ssh_unknown_type,
    key_missing: m.ssh_damaged,
    damaged: m.ssh_damaged,
    type_mismatch: m.ssh_damaged,
    rsa_too_short: m.ssh_rsa_too_short,
  };
  return known[reason]?.() ?? m.ssh_other({ reason });
}

/** A difference that the acceptance check found. What follows a colon says which device. */
export function differenceText(code: string): string {
  const [what = code, which] = code.split(':');
  const known: Record<string, () => string> = {
    device_count: m.difference_devices,
    devices: m.difference_devices,
    name: m.difference_names,
    device_name: m.difference_names,
    memory: m.difference_memory,
    partitioned: m.difference_partitions,
    partitions: m.difference_partitions,
    driver_unreadable: m.difference_driver_unreadable,
    driver_too_old: m.difference_driver_too_old,
    driver: m.difference_driver_too_old,
    operator_credentials_remain: m.difference_operator_access,
    operator_credentials: m.difference_operator_access,
    operator_access: m.difference_operator_access,
  };
  const text = (known[what] ?? (() => m.difference_other({ code })))();
  return which ? `${text} (${which})` : text;
}
