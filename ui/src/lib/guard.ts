import type { SessionView } from '$lib/api/generated/SessionView';
import { isOperator } from '$lib/state/session.svelte';

/** Where somebody is led who opened a page that is not theirs; null when the page is fine. */
export function leadTo(
  route: string | null,
  session: SessionView,
): '/sign-in' | '/operator' | '/catalogue' | null {
  if (route === null) return null;
  const operator = isOperator(session.role);
  if (route.startsWith('/operator')) {
    if (session.account === null) return '/sign-in';
    return operator ? null : '/catalogue';
  }
  if (/^\/(orders|payments|balance|history)/.test(route)) {
    if (session.account === null) return '/sign-in';
    return operator ? '/operator' : null;
  }
  if (operator && /^\/(catalogue|configure|review|register|welcome)/.test(route)) return '/operator';
  return null;
}
