import type { SlipRefusal } from '$lib/api/generated/SlipRefusal';
import { m } from '$lib/paraglide/messages';

/** Why this device drew no address, each reason in its own sentence. */
export function refusalSentence(reason: SlipRefusal): string {
  switch (reason) {
    case 'bad_record':
      return m.refused_bad_record();
    case 'unknown_key':
      return m.refused_unknown_key();
    case 'bad_signature':
      return m.refused_bad_signature();
    case 'wrong_environment':
      return m.refused_wrong_environment();
    case 'wrong_network':
      return m.refused_wrong_network();
    case 'wrong_chain':
      return m.refused_wrong_chain();
    case 'past_last_day':
      return m.refused_past_last_day();
    case 'old_epoch':
      return m.refused_old_epoch();
    case 'bad_address':
      return m.refused_bad_address();
    case 'address_reused':
      return m.refused_address_reused();
    case 'wrong_method':
      return m.refused_wrong_method();
    case 'wrong_total':
      return m.refused_wrong_total();
    case 'wrong_amount':
      return m.refused_wrong_amount();
    default:
      reason satisfies never;
      return m.refused_other();
  }
}
