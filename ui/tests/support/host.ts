import type { ApiError } from '$lib/api/generated/ApiError';
import type { Commands } from '$lib/api/generated/commands';
import type { ErrorCode } from '$lib/api/generated/ErrorCode';
import type { OperatorOrder } from '$lib/api/generated/OperatorOrder';
import * as fixtures from './fixtures';

/** What the fake answers to each command. A command without a handler does not compile. */
export type Handlers = {
  [N in keyof Commands]: (request: Commands[N]['request']) => Commands[N]['answer'];
};

/** A refusal, as a host rejects with it. */
export class Refusal extends Error implements ApiError {
  readonly error: ErrorCode;

  constructor(error: ErrorCode) {
    super(error.code);
    this.error = error;
  }
}

/** An order as operators see it. */
export function operatorOrder(order = fixtures.order()): OperatorOrder {
  return { order, customer: { account_id: 'c1', name: 'Ada Example', email: 'ada@example.com' } };
}

const settled = fixtures.order({
  id: '0193a5d0-0000-7000-8000-000000000002',
  reference: '8NB1-E4T7',
  state: 'settled',
  missing: '0.00',
  settled_at: fixtures.at(-31 * 60_000),
  headline: { kind: 'paid' },
});

const preparing = fixtures.order({
  id: '0193a5d0-0000-7000-8000-000000000003',
  reference: '5ZH8-3WAF',
  state: 'settled',
  missing: '0.00',
  settled_at: fixtures.at(-90 * 60_000),
  headline: { kind: 'overpaid' },
  fulfilment: {
    ...fixtures.order().fulfilment,
    state: 'preparing',
    acceptance: {
      ...fixtures.acceptance,
      passed: false,
      devices: 3,
      differences: ['device_count', 'name', 'name', 'operator_credentials_remain'],
    },
  },
});

export const operator_orders = [settled, preparing, fixtures.activeOrder()].map((order) =>
  operatorOrder(order),
);

/** A host at rest: a customer with one active order and one open payment. */
export function handlers(more: Partial<Handlers> = {}): Handlers {
  const orders = [
    fixtures.order({ to_pay: fixtures.to_pay }),
    { ...fixtures.activeOrder(), id: 'active', reference: '0M2E-7SVC', payment_ids: ['paid'] },
  ];
  const one = (id: string) =>
    [...orders, ...operator_orders.map(({ order }) => order)].find((order) => order.id === id) ??
    fixtures.order({ id, to_pay: fixtures.to_pay });
  const state = { height: 2_204, waiting: 1, rate: '113.9965', mining: false };
  return {
    session: () => fixtures.customer,
    refresh: () => fixtures.customer,
    check_password: ({ password }) => {
      const code_points = [...password].length;
      return { code_points, refused: code_points < 15 ? 'too_short' : code_points > 128 ? 'too_long' : null };
    },
    register: () => fixtures.customer,
    sign_in: () => fixtures.customer,
    sign_out: () => fixtures.nobody,
    change_password: () => ({}),
    catalogue: () => fixtures.catalogue,
    figures: ({ lots, offer_id }) => ({
      lots,
      gpus: lots * (offer_id === 'b200' ? 2 : 1),
      devices: lots * (offer_id === 'b200' ? 2 : 1),
      memory_gb_per_device: 180,
      per_lot: '1390.00',
      total: lots === 2 ? '2780.00' : '1390.00',
      beyond_one_machine: lots > 4,
      awkward_for_tensor_parallel: lots === 3,
    }),
    check_ssh_key: ({ key }) => ({ refused: key.includes('PRIVATE') ? 'private_key' : null }),
    place_order: () => fixtures.order({ headline: null, payment_ids: [] }),
    cancel_order: ({ order_id }) => ({ ...one(order_id), state: 'cancelled' }),
    orders: () => ({ orders }),
    order: ({ order_id }) => one(order_id),
    methods: () => ({ methods: fixtures.methods }),
    create_payment: () => fixtures.by_headline.waiting,
    payment: ({ payment_id }) =>
      payment_id === 'paid' ? fixtures.by_headline.paid : fixtures.by_headline.waiting,
    notice: () => ({
      ...fixtures.by_headline.waiting,
      payment: fixtures.payment({ notice_at: fixtures.at(0) }),
    }),
    open_wallet: () => ({}),
    balance: () => ({
      available: '283.41',
      receivable: '12.00',
      entries: [
        {
          id: 'b2',
          at: fixtures.at(-7_200_000),
          reason: 'received',
          amount: '69.91',
          order_id: 'active',
          payment_id: null,
        },
        {
          id: 'b1',
          at: fixtures.at(-9_200_000),
          reason: 'undone',
          amount: '-12.00',
          order_id: null,
          payment_id: null,
        },
      ],
    }),
    export_history: ({ format }) => ({
      file_name: `kernodeck-history.${format}`,
      text: 'reference\n7F4M-2KQ9\n',
    }),
    operator_orders: () => ({ orders: operator_orders, cursor: null, to_prepare: 2 }),
    operator_order: ({ order_id }) => ({
      order: operatorOrder(one(order_id)),
      payments: [fixtures.by_headline.confirming.payment],
    }),
    operator_payments: () => ({
      payments: [fixtures.by_headline.confirming, fixtures.by_headline.underpaid].map((screen, at) => ({
        payment: { ...screen.payment, id: `p${at}`, notice_at: fixtures.at(-30_000) },
        reference: '7F4M-2KQ9',
        address: fixtures.address,
        customer: { account_id: 'c1', name: 'Ada Example', email: 'ada@example.com' },
      })),
      cursor: null,
    }),
    start_preparing: ({ order_id }) => operatorOrder({ ...preparing, id: order_id }),
    record_acceptance: () => ({ acceptance: fixtures.acceptance }),
    hand_over: ({ order_id }) => operatorOrder({ ...fixtures.activeOrder(), id: order_id }),
    audit: () => ({
      verified: true,
      cursor: 'more',
      entries: [
        {
          number: 3,
          at: fixtures.at(-60_000),
          actor: '0193a5d0-0000-7000-8000-0000000000c1',
          actor_name: 'Operator One',
          action: 'ready',
          subject: '0193a5d0-0000-7000-8000-000000000001',
          subject_name: '7F4M-2KQ9',
          hash: '9c07e2f1aa',
        },
        {
          number: 2,
          at: fixtures.at(-90_000),
          actor: '0193a5d0-0000-7000-8000-0000000000c1',
          actor_name: 'Operator One',
          action: 'acceptance_passed',
          subject: '0193a5d0-0000-7000-8000-000000000001',
          subject_name: '7F4M-2KQ9',
          hash: '41d8a0b6bb',
        },
        {
          number: 1,
          at: fixtures.at(-99_000),
          actor: 'command-line',
          actor_name: null,
          action: 'operator_added',
          subject: '0193a5d0-0000-7000-8000-0000000000c1',
          subject_name: 'Operator One',
          hash: 'c2e93f75cc',
        },
      ],
    }),
    sandbox_status: () => state,
    sandbox_send: () => ({ ...state, waiting: 2 }),
    sandbox_mine: ({ blocks, undo }) => ({ ...state, height: state.height + blocks - undo, waiting: 0 }),
    ...more,
  };
}
