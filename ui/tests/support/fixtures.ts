/*
 * What a host would answer, typed by the types that the program generates: a field that changes its name or its shape
 * stops these tests from compiling. Addresses are published test vectors: never pay them.
 */
import type { AcceptanceView } from '$lib/api/generated/AcceptanceView';
import type { AccessView } from '$lib/api/generated/AccessView';
import type { CatalogueView } from '$lib/api/generated/CatalogueView';
import type { Headline } from '$lib/api/generated/Headline';
import type { MethodChoice } from '$lib/api/generated/MethodChoice';
import type { OfferView } from '$lib/api/generated/OfferView';
import type { OrderView } from '$lib/api/generated/OrderView';
import type { PaymentScreen } from '$lib/api/generated/PaymentScreen';
import type { PaymentView } from '$lib/api/generated/PaymentView';
import type { SessionView } from '$lib/api/generated/SessionView';
import type { Slip } from '$lib/api/generated/Slip';

export const now_ms = Date.now();
const minute = 60_000;
const hour = 60 * minute;

/** An instant so many milliseconds from the start of the test. */
export function at(offset_ms: number): string {
  return (BigInt(now_ms + offset_ms) * 1000n).toString();
}

export const address = 'tltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2d7x5kz';
export const address_groups = address.match(/.{1,4}/g) ?? [];
export const amount = '24.386521';

function offer(
  id: string,
  name: string,
  gb: number,
  prices: [string, string, string],
  free_lots: number,
  more: Partial<OfferView['gpu']> = {},
): OfferView {
  return {
    id,
    gpu: {
      name,
      vendor: 'nvidia',
      backend: 'cuda',
      architecture: 'Hopper',
      driver_names: [name],
      memory_gb_per_device: gb,
      memory_type: 'HBM3',
      bandwidth_gb_s: 3350,
      devices_per_gpu: 1,
      gpus_per_lot: 1,
      interconnect: 'NVLink 4',
      min_toolkit: '11.8',
      min_driver: '525',
      ...more,
    },
    prices: [
      { days: 3, per_lot: prices[0] },
      { days: 7, per_lot: prices[1] },
      { days: 30, per_lot: prices[2] },
    ],
    free_lots,
    held_until: null,
    sample: true,
  };
}

const rocm = {
  backend: 'rocm',
  vendor: 'amd',
  architecture: 'CDNA3',
  min_toolkit: '6.0',
  min_driver: null,
} as const;

export const b200 = offer('b200', 'NVIDIA B200 (HGX/SXM)', 180, ['640.00', '1390.00', '5400.00'], 3, {
  architecture: 'Blackwell',
  memory_type: 'HBM3e',
  gpus_per_lot: 2,
  interconnect: 'NVLink 5',
  min_toolkit: '12.8',
  min_driver: '570.26',
  driver_names: ['NVIDIA B200'],
});

export const catalogue: CatalogueView = {
  as_of: at(-40_000),
  offers: [
    offer('h200', 'NVIDIA H200 SXM', 141, ['228.00', '498.00', '1940.00'], 6, { memory_type: 'HBM3e' }),
    offer('mi250x', 'AMD Instinct MI250X', 64, ['72.00', '160.00', '610.00'], 0, {
      ...rocm,
      architecture: 'CDNA2',
      devices_per_gpu: 2,
      min_toolkit: '5.0',
    }),
    offer('h100', 'NVIDIA H100 SXM 80 GB', 80, ['172.00', '384.00', '1490.00'], 11),
    offer('a100', 'NVIDIA A100 SXM 80 GB', 80, ['98.00', '216.00', '830.00'], 9, { architecture: 'Ampere' }),
    {
      ...offer('mi300x', 'AMD Instinct MI300X', 192, ['158.00', '348.00', '1340.00'], 5, rocm),
      held_until: at(900_000),
    },
    offer('rtx5090', 'NVIDIA GeForce RTX 5090', 32, ['40.00', '88.00', '330.00'], 14, {
      architecture: 'Blackwell',
      min_toolkit: '12.8',
    }),
    offer('l40s', 'NVIDIA L40S', 48, ['29.00', '64.00', '248.00'], 4, { architecture: 'Ada Lovelace' }),
    offer('v100', 'NVIDIA Tesla V100 SXM2 32 GB', 32, ['14.00', '31.00', '118.00'], 2, {
      architecture: 'Volta',
    }),
    b200,
  ],
};

export const access: AccessView = {
  host: 'gpu-17.example.net',
  port: 22017,
  user: 'tenant',
  host_key_fingerprint: 'SHA256:uNiVztksCsDhcc0u9e8BrlfvV0e1Xv5uCSvtkEQiyPo',
  password: null,
  notebook_url: 'https://gpu-17.example.net/lab',
  notebook_token: 'b1946ac92492d2347c6235b4d2611184',
  notes: null,
};

export const acceptance: AcceptanceView = {
  at: at(-2 * hour),
  passed: true,
  devices: 4,
  device_name: 'NVIDIA B200',
  memory_mib_per_device: 183_359,
  driver: '570.124.06',
  unpartitioned: true,
  operator_access_removed: true,
  differences: [],
};

/** What instructions for that order would ask for: its total, nothing owed and nothing on its way. */
export const to_pay = { asked: '2780.00', missing: '2780.00', owed: '0.00', in_sight: '0.00' };

/** An order of two lots of B200: four GPUs. */
export function order(more: Partial<OrderView> = {}): OrderView {
  return {
    id: '0193a5d0-0000-7000-8000-000000000001',
    reference: '7F4M-2KQ9',
    placed_at: at(-5 * minute),
    lapses_at: at(24 * hour - 5 * minute),
    offer: { offer_id: 'b200', gpu: b200.gpu, per_lot: '1390.00' },
    lots: 2,
    gpus: 4,
    days: 7,
    preparation: 'pytorch',
    total: '2780.00',
    ssh_public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzF1pXy0y7mE7vJpF2JcH3mKp0V0vQ2qY6e8mBfX0aB',
    state: 'open',
    held: '0.00',
    missing: '2780.00',
    settled_at: null,
    lots_held_until: at(17 * minute),
    has_lots: true,
    headline: { kind: 'waiting' },
    to_pay: null,
    payment_ids: ['0193a5d0-0000-7000-8000-0000000000a1'],
    fulfilment: {
      state: 'not_started',
      expected_at: null,
      starts_at: null,
      ends_at: null,
      export_until: null,
      acceptance: null,
      paused: false,
    },
    access: null,
    timeline: [
      { at: at(-5 * minute), kind: 'order_placed', payment_id: null, data: {} },
      {
        at: at(-3 * minute),
        kind: 'instructions',
        payment_id: '0193a5d0-0000-7000-8000-0000000000a1',
        data: { method: 'litecoin:ltc' },
      },
    ],
    last_known: null,
    ...more,
  };
}

/** The same order, paid and handed over three days ago. */
export function activeOrder(): OrderView {
  return order({
    state: 'settled',
    held: '0.00',
    missing: '0.00',
    settled_at: at(-75 * hour),
    placed_at: at(-76 * hour),
    headline: { kind: 'paid' },
    fulfilment: {
      state: 'active',
      expected_at: null,
      starts_at: at(-72 * hour),
      ends_at: at(96 * hour),
      export_until: at(144 * hour),
      acceptance,
      paused: false,
    },
    access,
    timeline: [
      { at: at(-76 * hour), kind: 'order_placed', payment_id: null, data: {} },
      {
        at: at(-76 * hour + minute),
        kind: 'instructions',
        payment_id: null,
        data: { method: 'litecoin:ltc' },
      },
      { at: at(-76 * hour + 3 * minute), kind: 'notice', payment_id: null, data: {} },
      { at: at(-76 * hour + 4 * minute), kind: 'seen', payment_id: null, data: {} },
      { at: at(-75.5 * hour), kind: 'mined', payment_id: null, data: {} },
      { at: at(-75 * hour), kind: 'settled', payment_id: null, data: {} },
      { at: at(-74 * hour), kind: 'preparing', payment_id: null, data: {} },
      { at: at(-73 * hour), kind: 'acceptance_passed', payment_id: null, data: {} },
      { at: at(-72 * hour), kind: 'ready', payment_id: null, data: {} },
      { at: at(-1 * hour), kind: 'unknown', payment_id: null, data: {} },
    ],
  });
}

/** An order in states that a newer server tells and this version does not know. */
export function unknownOrder(): OrderView {
  return order({
    state: 'settled',
    missing: '0.00',
    headline: { kind: 'unknown' },
    fulfilment: { ...order().fulfilment, state: 'unknown' },
    last_known: { state: null, headline: { kind: 'paid' }, fulfilment: 'preparing' },
  });
}

/** Something that looks like a QR code. Nobody reads it here: the program's own test reads the real one. */
export const qr_svg = (() => {
  const size = 37;
  const dark = (x: number, y: number) => {
    for (const [left, top] of [
      [4, 4],
      [size - 11, 4],
      [4, size - 11],
    ] as const) {
      const [dx, dy] = [x - left, y - top];
      if (dx >= -1 && dx <= 7 && dy >= -1 && dy <= 7) {
        const edge = dx === 0 || dx === 6 || dy === 0 || dy === 6;
        const core = dx >= 2 && dx <= 4 && dy >= 2 && dy <= 4;
        return dx >= 0 && dx <= 6 && dy >= 0 && dy <= 6 && (edge || core);
      }
    }
    return x >= 4 && y >= 4 && x < size - 4 && y < size - 4 && (x * 7 + y * 13 + x * y * 3) % 5 < 2;
  };
  let path = '';
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) if (dark(x, y)) path += `M${x} ${y}h1v1h-1z`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
})();

export const open_slip: Extract<Slip, { state: 'open' }> = {
  state: 'open',
  address,
  address_groups,
  amount,
  uri: `LITECOIN-URI-MADE-BY-THE-HOST`.toLowerCase().replace('litecoin-uri', 'litecoin:uri'),
  qr_svg,
  checked_at: at(-3 * minute),
  key_fingerprint: 'SHA256:9c4e…71b0',
};

export const closed_slip: Slip = { state: 'closed', address_groups, amount };

/** A payment of the order. */
export function payment(more: Partial<PaymentView> = {}): PaymentView {
  return {
    id: '0193a5d0-0000-7000-8000-0000000000a1',
    purpose: { kind: 'order', order_id: '0193a5d0-0000-7000-8000-000000000001' },
    method: 'litecoin:ltc',
    asked: '2780.00',
    amount,
    quote: {
      rate: '113.9965',
      taken_at: at(-3 * minute),
      made_up: true,
      sources: [
        { name: 'made up 1', rate: '113.98', fetched_at: at(-3 * minute - 4_000) },
        { name: 'made up 2', rate: '114.01', fetched_at: at(-3 * minute - 9_000) },
        { name: 'made up 3', rate: '113.9965', fetched_at: at(-3 * minute - 31_000) },
      ],
    },
    issued_at: at(-140_000),
    deadline: at(20 * minute - 140_000),
    record: '',
    notice_at: null,
    headline: { kind: 'waiting' },
    facts: {
      received: '0',
      final_amount: '0',
      credited: '0.00',
      short: false,
      over: false,
      late: false,
      disputed: false,
    },
    transfers: [],
    last_known: null,
    ...more,
  };
}

/** A payment as the screen gets it. */
export function screen(
  slip: Slip,
  more: Partial<PaymentView> = {},
  around: Partial<PaymentScreen> = {},
): PaymentScreen {
  const shown = payment(more);
  return {
    payment: shown,
    slip,
    order: order({ headline: shown.headline }),
    notice_unsent: false,
    watched_at: at(-4_000),
    ...around,
  };
}

const transfer = {
  tx_id: '9c4e1f0a55d4b1b3f2f0e9f7a6c4d5b8a7e6f5d4c3b2a1908f7e6d5c4b3a71b0',
  out_index: 0,
  amount,
  first_seen_at: at(-60_000),
  height: 2_204_118,
  vanished: false,
};

/** A payment with every headline that there is. */
export const by_headline: Record<Headline['kind'], PaymentScreen> = {
  waiting: screen(open_slip),
  seen: screen(open_slip, {
    headline: { kind: 'seen' },
    transfers: [{ ...transfer, height: null }],
    facts: { ...payment().facts, received: amount },
  }),
  confirming: screen(open_slip, {
    headline: { kind: 'confirming', confirmations: 2, required: 6 },
    transfers: [transfer],
    facts: { ...payment().facts, received: amount },
  }),
  underpaid: screen(closed_slip, {
    headline: { kind: 'underpaid' },
    deadline: at(-minute),
    transfers: [{ ...transfer, amount: '20.000000' }],
    facts: {
      ...payment().facts,
      received: '20.000000',
      final_amount: '20.000000',
      credited: '2279.93',
      short: true,
    },
  }),
  paid: screen(closed_slip, {
    headline: { kind: 'paid' },
    deadline: at(-minute),
    transfers: [transfer],
    facts: { ...payment().facts, received: amount, final_amount: amount, credited: '2780.00' },
  }),
  overpaid: screen(closed_slip, {
    headline: { kind: 'overpaid' },
    deadline: at(-minute),
    transfers: [transfer],
    facts: {
      ...payment().facts,
      received: '25.000000',
      final_amount: '25.000000',
      credited: '2849.91',
      over: true,
    },
  }),
  expired: screen(closed_slip, { headline: { kind: 'expired' }, deadline: at(-minute) }),
  late: screen(closed_slip, {
    headline: { kind: 'late' },
    deadline: at(-10 * minute),
    transfers: [transfer],
    facts: { ...payment().facts, received: amount, late: true },
  }),
  in_review: screen(closed_slip, {
    headline: { kind: 'in_review' },
    deadline: at(-10 * minute),
    facts: { ...payment().facts, received: amount, disputed: true },
  }),
  unknown: screen(closed_slip, {
    headline: { kind: 'unknown' },
    last_known: { state: null, headline: { kind: 'paid' }, fulfilment: null },
    deadline: at(-minute),
  }),
};

/** The eight methods, as this issue offers them: one, and seven that are coming. */
export const methods: MethodChoice[] = [
  { method: 'bitcoin:btc', label: 'BTC-Bitcoin', unavailable: 'coming', about: null },
  { method: 'ethereum:eth', label: 'ETH-Ethereum', unavailable: 'coming', about: null },
  { method: 'ethereum:usdt', label: 'USDT-Ethereum', unavailable: 'coming', about: null },
  { method: 'ethereum:usdc', label: 'USDC-Ethereum', unavailable: 'coming', about: null },
  { method: 'tron:trx', label: 'TRX-Tron', unavailable: 'coming', about: null },
  { method: 'tron:usdt', label: 'USDT-Tron', unavailable: 'coming', about: null },
  { method: 'solana:sol', label: 'SOL-Solana', unavailable: 'no_rate', about: null },
  { method: 'litecoin:ltc', label: 'LTC-Litecoin', unavailable: null, about: '24.4' },
];

/** Nobody is signed in, the server answers. */
export const nobody: SessionView = {
  server: 'https://kernodeck.example',
  sandbox_build: false,
  environment: 'production',
  account: null,
  role: null,
  sign_in_ended: null,
  online: true,
  synced_at: at(-6_000),
  clock_offset_micros: '0',
  unsent: 0,
  retention_days: {
    audit: 0,
    command_result: 30,
    ended_session: 30,
    idle_account: 30,
    ledger: 0,
    network: 30,
    session: 30,
  },
  trusted_keys: [
    'SHA256:uNiVztksCsDhcc0u9e8BrlfvV0e1Xv5uCSvtkEQiyPo',
    'SHA256:E209c4e71b0aa55d4b1b3f2f0e9f7a6c4d5b8a7e6f5d',
  ],
};

/** A customer. */
export const customer: SessionView = {
  ...nobody,
  role: 'customer',
  account: {
    id: '0193a5d0-0000-7000-8000-0000000000c1',
    first_name: 'Ada',
    last_name: 'Example',
    email: 'ada@example.com',
    created_at: at(-200 * hour),
    balance: '283.41',
    receivable: '0.00',
  },
};

/** An operator. */
export const operator: SessionView = {
  ...customer,
  role: 'administrator',
  synced_at: null,
  account: {
    ...(customer.account as NonNullable<SessionView['account']>),
    first_name: 'Operator',
    last_name: 'One',
    email: 'operator@example.com',
  },
};
