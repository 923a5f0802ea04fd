import type { ErrorCode } from '$lib/api/generated/ErrorCode';
import type { MethodReason } from '$lib/api/generated/MethodReason';
import { m } from '$lib/paraglide/messages';
import { methodName } from './methods';
import { fieldReason } from './fields';
import { usd } from './money';
import { orderStateWord } from './states';
import { exactDateTime } from './time';

/** What every failure says, in this order. */
export interface Sentences {
  happened: string;
  safe: string;
  next: string;
}

/** The sentences of a failure. A code from a newer server is said to be unknown, never guessed. */
export function errorSentences(error: ErrorCode): Sentences {
  switch (error.code) {
    case 'bad_request':
      return { happened: m.err_bad_request(), safe: m.safe_nothing_changed(), next: m.next_update_program() };
    case 'field_refused':
      return {
        happened: fieldReason(error.field, error.reason),
        safe: m.safe_nothing_saved(),
        next: m.next_correct_field(),
      };
    case 'unknown_command':
      return {
        happened: m.err_unknown_command(),
        safe: m.safe_nothing_changed(),
        next: m.next_update_program(),
      };
    case 'not_signed_in':
      return { happened: m.err_not_signed_in(), safe: m.safe_nothing_changed(), next: m.next_sign_in() };
    case 'sign_in_expired':
      return { happened: m.err_sign_in_expired(), safe: m.safe_kept_here(), next: m.next_sign_in_again() };
    case 'sign_in_copied':
      return {
        happened: m.err_sign_in_copied(),
        safe: m.safe_kept_here(),
        next: m.next_sign_in_copied(),
      };
    case 'account_removed':
      return {
        happened: m.err_account_removed(),
        safe: m.safe_account_removed(),
        next: m.next_account_removed(),
      };
    case 'forbidden':
      return { happened: m.err_forbidden(), safe: m.safe_nothing_changed(), next: m.next_other_account() };
    case 'not_found':
      return { happened: m.err_not_found(), safe: m.safe_nothing_changed(), next: m.next_back_to_list() };
    case 'registration_refused':
      return {
        happened: m.err_registration_refused(),
        safe: m.safe_no_account_made(),
        next: m.next_registration_refused(),
      };
    case 'wrong_credentials':
      return {
        happened: m.err_wrong_credentials(),
        safe: m.safe_account_not_locked(),
        next: m.next_wrong_credentials(),
      };
    case 'authenticator_code_needed':
      return {
        happened: m.err_authenticator_code_needed(),
        safe: m.safe_nothing_changed(),
        next: m.next_authenticator_code(),
      };
    case 'throttled':
      return {
        happened: m.err_throttled(),
        safe: m.safe_account_not_locked(),
        next: m.next_wait_seconds({ seconds: error.retry_after_seconds }),
      };
    case 'busy':
      return { happened: m.err_busy(), safe: m.safe_nothing_changed(), next: m.next_try_in_a_moment() };
    case 'command_reused':
      return { happened: m.err_command_reused(), safe: m.safe_done_once(), next: m.next_look_before_again() };
    default:
      return orderSentences(error);
  }
}

type OrderCode = Exclude<
  ErrorCode,
  {
    code:
      | 'bad_request'
      | 'field_refused'
      | 'unknown_command'
      | 'not_signed_in'
      | 'sign_in_expired'
      | 'sign_in_copied'
      | 'account_removed'
      | 'forbidden'
      | 'not_found'
      | 'registration_refused'
      | 'wrong_credentials'
      | 'authenticator_code_needed'
      | 'throttled'
      | 'busy'
      | 'command_reused';
  }
>;

function orderSentences(error: OrderCode): Sentences {
  switch (error.code) {
    case 'price_changed':
      return {
        happened: m.err_price_changed({ before: usd(error.confirmed), now: usd(error.now) }),
        safe: m.safe_nothing_ordered(),
        next: m.next_price_changed({ now: usd(error.now) }),
      };
    case 'sold_out':
      return {
        happened: m.err_sold_out({ n: error.free_lots }),
        safe: m.safe_nothing_to_pay(),
        next: error.free_lots > 0 ? m.next_fewer_lots() : m.next_other_offer(),
      };
    case 'unpaid_hold_limit':
      return {
        happened: m.err_unpaid_hold_limit(),
        safe: m.safe_first_order_stands(),
        next: m.next_pay_or_cancel_first(),
      };
    case 'half_of_offer_limit':
      return {
        happened: m.err_half_of_offer_limit(),
        safe: m.safe_first_order_stands(),
        next: m.next_pay_or_cancel_first(),
      };
    case 'open_payment_exists':
      return {
        happened: m.err_open_payment_exists(),
        safe: m.safe_open_payment(),
        next: m.next_open_payment(),
      };
    case 'money_in_sight':
      return {
        happened: m.err_money_in_sight({ in_sight: usd(error.in_sight) }),
        safe: m.safe_money_in_sight(),
        next: m.next_money_in_sight(),
      };
    case 'too_many_open_payments':
      return {
        happened: m.err_too_many_open_payments(),
        safe: m.safe_order_stands(),
        next: m.next_finish_a_payment(),
      };
    case 'too_many_from_network':
      return {
        happened: m.err_too_many_from_network(),
        safe: m.safe_order_stands(),
        next: m.next_wait_for_payments(),
      };
    case 'method_unavailable':
      return {
        happened: `${m.err_method_unavailable({ method: methodName(error.method) })} ${methodReasonSentence(error.reason)}`,
        safe: m.safe_no_address_given(),
        next: m.next_other_method(),
      };
    case 'order_not_open':
      return {
        happened: m.err_order_not_open({ state: orderStateWord(error.state) }),
        safe: m.safe_no_address_given(),
        next: m.next_look_at_order(),
      };
    case 'order_lapses_soon':
      return {
        happened: m.err_order_lapses_soon({ time: exactDateTime(error.lapses_at) }),
        safe: m.safe_no_address_given(),
        next: m.next_order_again(),
      };
    case 'payment_closed':
      return {
        happened: m.err_payment_closed(),
        safe: m.safe_closed_payment(),
        next: m.next_new_instructions(),
      };
    default:
      return otherSentences(error);
  }
}

type OtherCode = Extract<
  ErrorCode,
  {
    code:
      | 'wrong_move'
      | 'acceptance_not_passed'
      | 'no_wallet'
      | 'offline'
      | 'unreadable_answer'
      | 'local_data'
      | 'unsent_work'
      | 'internal';
  }
>;

function otherSentences(error: OtherCode): Sentences {
  switch (error.code) {
    case 'wrong_move':
      return {
        happened: m.err_wrong_move({ from: error.from, to: error.to }),
        safe: m.safe_nothing_changed(),
        next: m.next_look_at_order(),
      };
    case 'acceptance_not_passed':
      return {
        happened: m.err_acceptance_not_passed(),
        safe: m.safe_clock_not_started(),
        next: m.next_acceptance_again(),
      };
    case 'no_wallet':
      return { happened: m.err_no_wallet(), safe: m.safe_no_wallet(), next: m.next_no_wallet() };
    case 'offline':
      return { happened: m.err_offline(), safe: m.safe_offline(), next: m.next_offline() };
    case 'unreadable_answer':
      return {
        happened: m.err_unreadable_answer(),
        safe: m.safe_kept_here(),
        next: m.next_look_before_again(),
      };
    case 'local_data':
      return localSentences(error.reason);
    case 'unsent_work':
      return {
        happened: m.err_unsent_work({ n: error.count }),
        safe: m.safe_still_signed_in(),
        next: m.next_unsent_work(),
      };
    case 'internal':
      return { happened: m.err_internal(), safe: m.safe_kept_here(), next: m.next_look_before_again() };
    default:
      error satisfies never;
      return { happened: m.err_unknown(), safe: m.safe_kept_here(), next: m.next_update_program() };
  }
}

function localSentences(reason: string): Sentences {
  const safe = m.safe_local_data();
  if (reason === 'locked') return { happened: m.err_local_locked(), safe, next: m.next_local_locked() };
  if (reason === 'full') return { happened: m.err_local_full(), safe, next: m.next_local_full() };
  if (reason === 'damaged') return { happened: m.err_local_damaged(), safe, next: m.next_local_damaged() };
  return { happened: m.err_local_other(), safe, next: m.next_local_other() };
}

/** Why a method can't be chosen, as a sentence. */
export function methodReasonSentence(reason: MethodReason): string {
  switch (reason) {
    case 'coming':
      return m.method_reason_coming();
    case 'switched_off':
      return m.method_reason_switched_off();
    case 'no_rate':
      return m.method_reason_no_rate();
    case 'node_down':
      return m.method_reason_node_down();
    case 'node_lagging':
      return m.method_reason_node_lagging();
    case 'no_address':
      return m.method_reason_no_address();
    case 'unknown':
      return m.method_reason_unknown();
    default:
      reason satisfies never;
      return m.method_reason_unknown();
  }
}

/** The same in two or three words, for a table. */
export function methodReasonWord(reason: MethodReason): string {
  switch (reason) {
    case 'coming':
      return m.method_word_coming();
    case 'switched_off':
      return m.method_word_switched_off();
    case 'no_rate':
      return m.method_word_no_rate();
    case 'node_down':
    case 'node_lagging':
      return m.method_word_node();
    case 'no_address':
      return m.method_word_no_address();
    case 'unknown':
      return m.state_unknown();
    default:
      reason satisfies never;
      return m.state_unknown();
  }
}
