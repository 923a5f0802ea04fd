import type { SessionView } from '$lib/api/generated/SessionView';
import { ids } from '$lib/testids';
import * as fixtures from './fixtures';
import { handlers, Refusal } from './host';
import type { Handlers } from './host';

/** A screen in a state: where it is, and what the host behind it answers. */
export interface Screen {
  route: string;
  handlers: Handlers;
  /** Test ids to press once it stands. */
  presses?: string[];
}

const as = (session: SessionView, more: Partial<Handlers> = {}): Handlers =>
  handlers({ session: () => session, ...more });

const payments = Object.fromEntries(
  Object.entries(fixtures.by_headline).map(([kind, screen]) => [
    `payment-${kind}`,
    { route: '/payments/p', handlers: as(fixtures.customer, { payment: () => screen }) },
  ]),
);

const offline: SessionView = {
  ...fixtures.customer,
  online: false,
  synced_at: fixtures.at(-240_000),
  unsent: 1,
};
const sandbox = (session: SessionView): SessionView => ({
  ...session,
  sandbox_build: true,
  environment: 'sandbox',
});

/** Every screen of the window, in every state that looks different. */
export const screens: Record<string, Screen> = {
  welcome: { route: '/welcome', handlers: as(fixtures.nobody) },
  'welcome-sandbox': { route: '/welcome', handlers: as(sandbox(fixtures.nobody)) },
  register: { route: '/register', handlers: as(fixtures.nobody) },
  'sign-in': { route: '/sign-in', handlers: as(fixtures.nobody) },
  catalogue: { route: '/catalogue', handlers: as(fixtures.customer) },
  configure: { route: '/configure/b200', handlers: as(fixtures.nobody) },
  review: { route: '/configure/b200', handlers: as(fixtures.customer), presses: [ids.configure_review] },
  'review-nobody': {
    route: '/configure/b200',
    handlers: as(fixtures.nobody),
    presses: [ids.configure_review],
  },
  'sign-out': {
    route: '/settings',
    handlers: as({ ...fixtures.customer, unsent: 2 }),
    presses: [ids.sign_out],
  },
  'access-shown': { route: '/orders/active', handlers: as(fixtures.customer), presses: [ids.access_show] },
  method: { route: '/orders/o/method', handlers: as(fixtures.customer) },
  ...payments,
  'payment-refused': {
    route: '/payments/p',
    handlers: as(fixtures.customer, {
      payment: () => fixtures.screen({ state: 'refused', reason: 'bad_signature' }),
    }),
  },
  'payment-withdrawn': {
    route: '/payments/p',
    handlers: as(offline, {
      payment: () => fixtures.screen({ state: 'withdrawn' }, {}, { notice_unsent: true }),
    }),
  },
  orders: { route: '/orders', handlers: as(fixtures.customer) },
  // An account that was removed never had one.
  'orders-empty': {
    route: '/orders',
    handlers: as({ ...fixtures.customer, sign_in_ended: 'removed' }, { orders: () => ({ orders: [] }) }),
  },
  'order-open': { route: '/orders/o', handlers: as(fixtures.customer) },
  'order-active': { route: '/orders/active', handlers: as(fixtures.customer) },
  'order-unknown': {
    route: '/orders/o',
    handlers: as(fixtures.customer, {
      order: () => fixtures.unknownOrder(),
    }),
  },
  'payment-no-wallet': {
    route: '/payments/p',
    handlers: as(fixtures.customer, {
      open_wallet: () => {
        throw new Refusal({ code: 'no_wallet' });
      },
    }),
    presses: [ids.slip_open_wallet],
  },
  balance: { route: '/balance', handlers: as(fixtures.customer) },
  'history-offline': { route: '/history', handlers: as(offline) },
  settings: { route: '/settings', handlers: as(fixtures.customer) },
  'settings-copied': { route: '/settings', handlers: as({ ...fixtures.customer, sign_in_ended: 'copied' }) },
  sandbox: { route: '/sandbox', handlers: as(sandbox(fixtures.customer)) },
  'operator-work': { route: '/operator', handlers: as(fixtures.operator) },
  'operator-prepare': {
    route: '/operator/orders/0193a5d0-0000-7000-8000-000000000002',
    handlers: as(fixtures.operator),
  },
  'operator-accept': {
    route: '/operator/orders/0193a5d0-0000-7000-8000-000000000003',
    handlers: as(fixtures.operator),
  },
  'operator-payments': { route: '/operator/payments', handlers: as(fixtures.operator) },
  'operator-accepted': {
    route: '/operator/orders/active',
    handlers: as(fixtures.operator),
  },
  'operator-offline': { route: '/settings', handlers: as({ ...fixtures.operator, online: false }) },
  'operator-audit': { route: '/operator/audit', handlers: as(fixtures.operator) },
};
