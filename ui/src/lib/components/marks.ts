/** A stroke of a mark: a line, a filled area, or a line cut out of a filled area. */
export type Part = readonly [kind: 'line' | 'area' | 'cut' | 'dashed', path: string, width?: number];

const ring = 'M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2z';
const disc = 'M8 1.25a6.75 6.75 0 1 1 0 13.5A6.75 6.75 0 1 1 8 1.25z';
const box = 'M2.5 2.5h11v11h-11z';
const shield = 'M8 1.5l5.5 2v4.3c0 3-2.3 5.3-5.500 6.700-3.200-1.400-5.500-3.700-5.500-6.700V3.500z';

/** Round marks are money, square marks are machines. Drawn on 16 × 16; none stands without its word. */
export const marks = {
  // money
  'money-waiting': [['line', ring]],
  'money-seen': [
    ['line', ring],
    ['area', 'M8 5.500a2.500 2.500 0 1 1 0 5a2.500 2.500 0 1 1 0-5z'],
  ],
  'money-confirming': [
    ['line', ring],
    ['area', 'M8 8V2a6 6 0 0 1 0 12z'],
  ],
  'money-underpaid': [
    ['line', ring],
    ['area', 'M2.600 10.500h10.800A6 6 0 0 1 2.600 10.500z'],
  ],
  'money-paid': [
    ['area', disc],
    ['cut', 'M4.700 8.200l2.400 2.400 4.300-4.900', 1.8],
  ],
  'money-overpaid': [
    ['area', disc],
    ['cut', 'M8 4.600v6.800M4.600 8h6.800', 1.8],
  ],
  'money-expired': [
    ['line', ring],
    ['line', 'M3.800 12.200l8.400-8.400'],
  ],
  'money-late': [
    ['line', ring],
    ['line', 'M8 4.200V8l2.900 1.900'],
  ],
  'money-in_review': [
    ['line', ring],
    [
      'area',
      'M4.200 7.200h1.600v1.600H4.200zM7.200 7.200h1.600v1.600H7.200zM10.200 7.200h1.600v1.600h-1.600z',
    ],
  ],
  'money-unknown': [['dashed', ring]],
  'money-todo': [['line', 'M8 5a3 3 0 1 1 0 6a3 3 0 1 1 0-6z']],
  // machines
  'machine-not_started': [['line', box]],
  'machine-preparing': [
    ['line', box],
    ['area', 'M2.500 13.500v-11l11 11z'],
  ],
  'machine-ready': [
    ['line', box],
    ['area', 'M5.750 5.750h4.500v4.500h-4.500z'],
  ],
  'machine-active': [['area', 'M1.750 1.750h12.500v12.500H1.750z']],
  'machine-ending': [
    ['line', box],
    ['area', 'M2.500 9.500h11v4h-11z'],
  ],
  'machine-ended': [
    ['line', box],
    ['line', 'M2.500 8h11'],
  ],
  'machine-wiped': [['dashed', box]],
  'machine-cancelled': [
    ['line', box],
    ['line', 'M5.300 5.300l5.400 5.400M10.700 5.300l-5.400 5.400'],
  ],
  'machine-failed_acceptance': [
    ['line', box],
    ['line', 'M8 4.700v4.300M8 10.200v1.500'],
  ],
  'machine-suspended': [
    ['line', box],
    ['line', 'M6.250 5.250v5.500M9.750 5.250v5.500'],
  ],
  'machine-unknown': [
    ['line', box],
    ['dashed', 'M5 8h6'],
  ],
  'machine-todo': [['line', 'M5 5h6v6H5z']],
  // verdicts are bare
  tick: [['line', 'M2.500 8.500l3.800 3.500 7.200-8', 2]],
  warning: [
    ['line', 'M8 1.900l6.700 11.900H1.300z'],
    ['line', 'M8 6v3.800M8 11v1.400'],
  ],
  cross: [['line', 'M3.500 3.500l9 9M12.500 3.500l-9 9', 2]],
  shield: [
    ['line', shield],
    ['line', 'M5.300 7.800l2 2 3.500-3.800'],
  ],
  'shield-refused': [
    ['line', shield],
    ['line', 'M5.700 5.700l4.600 4.600M10.300 5.700l-4.600 4.600'],
  ],
  // places and actions
  catalogue: [['line', 'M2 3.500h12M2 8h12M2 12.500h12M5.500 2v3M10.500 6.500v3M7 11v3']],
  orders: [
    ['line', 'M3.500 1.750h9v12.500l-2.250-1.500L8 14.250l-2.250-1.500-2.250 1.500zM6 5.500h4M6 8.500h4'],
  ],
  balance: [['line', 'M8 2v12M2 4.500h12M2 4.500V8h4.500V4.500M9.500 4.500V11H14V4.500']],
  history: [
    ['line', ring],
    ['line', 'M8 4.500v3.700l2.400 1.500'],
  ],
  settings: [
    ['line', 'M2 5h7M13 5h1M2 11h1M7 11h7'],
    ['line', 'M11 3a2 2 0 1 1 0 4a2 2 0 1 1 0-4zM5 9a2 2 0 1 1 0 4a2 2 0 1 1 0-4z'],
  ],
  work: [['line', 'M2 2.500h12v8h-3.500L9 12.500H7l-1.500-2H2zM2 14h12']],
  network: [
    ['line', 'M8 1.250a1.750 1.750 0 1 1 0 3.500a1.750 1.750 0 1 1 0-3.500z'],
    ['line', 'M3.500 10.750a1.750 1.750 0 1 1 0 3.500a1.750 1.750 0 1 1 0-3.500z'],
    [
      'line',
      'M12.500 10.750a1.750 1.750 0 1 1 0 3.500a1.750 1.750 0 1 1 0-3.500zM7.200 5l-2.900 6M8.800 5l2.900 6M5.250 12.500h5.500',
    ],
  ],
  audit: [['line', 'M6 4.500H4.500a3 3 0 0 0 0 6H6M10 4.500h1.500a3 3 0 0 1 0 6H10M5.500 7.500h5']],
  person: [
    ['line', 'M8 2.500a2.750 2.750 0 1 1 0 5.500a2.750 2.750 0 1 1 0-5.500z'],
    ['line', 'M2.500 14c.500-3 2.500-4.500 5.500-4.500s5 1.500 5.500 4.500'],
  ],
  copy: [['line', 'M5.250 5.250h8.500v8.500h-8.500zM3 10.500h-.750V2.250h8.250V3']],
  eye: [
    [
      'line',
      'M1.200 8C3 4.800 5.300 3.300 8 3.300S13 4.800 14.800 8C13 11.200 10.700 12.700 8 12.700S3 11.200 1.200 8z',
    ],
    ['line', 'M8 6a2 2 0 1 1 0 4a2 2 0 1 1 0-4z'],
  ],
  search: [
    ['line', 'M7 2.250a4.750 4.750 0 1 1 0 9.500a4.750 4.750 0 1 1 0-9.500zM10.500 10.500l3.800 3.800'],
  ],
  offline: [
    ['line', 'M2 2l12 12M3 7.500a8 8 0 0 1 3-1.900M13 7.500a8 8 0 0 0-4-2.200M5.500 10.300a4 4 0 0 1 4-.800'],
    ['area', 'M8 12a1 1 0 1 1 0 2a1 1 0 1 1 0-2z'],
  ],
  down: [['line', 'M4 6.200l4 4 4-4']],
  ascending: [['line', 'M8 13.500V3M3.800 7L8 2.800 12.200 7', 1.8]],
  descending: [['line', 'M8 2.500V13M3.800 9L8 13.200 12.200 9', 1.8]],
  plus: [['line', 'M8 3v10M3 8h10']],
  minus: [['line', 'M3 8h10']],
  lock: [['line', 'M3 7h10v7H3zM5.250 7V4.800a2.750 2.750 0 0 1 5.500 0V7']],
  sent: [['line', 'M2 8l12-5.500L10 14l-2.500-5z']],
  save: [['line', 'M8 2v8.500M4.500 7.250L8 10.750l3.500-3.500M2.500 13.500h11']],
  refresh: [['line', 'M13.500 8a5.500 5.500 0 1 1-1.700-4M13.500 1.500V4.500h-3']],
  wallet: [['line', 'M9 2.500h4.500V7M13.500 2.500L7.500 8.500M6.500 3.500h-4v10h10v-4']],
  logo: [['area', 'M.9 2.700h10.700v2.800H.9zM3.100 7.100h10.700v2.800H3.100zM5.300 11.500H16v2.800H5.300z']],
} as const satisfies Record<string, readonly Part[]>;

export type MarkName = keyof typeof marks;

/** The outline is the network, solid is its coin, open is a token. Drawn on 20 × 20. */
export const method_marks: Record<string, readonly Part[]> = {
  'bitcoin:btc': [
    ['area', 'M10 1.500a8.500 8.500 0 1 1 0 17a8.500 8.500 0 1 1 0-17z'],
    ['cut', 'M10 6a4 4 0 1 1 0 8a4 4 0 1 1 0-8z', 2],
  ],
  'ethereum:eth': [['area', 'M10 .800L18 10l-8 9.200L2 10z']],
  'ethereum:usdt': [
    ['line', 'M10 2l7 8-7 8-7-8z', 1.8],
    ['area', 'M3 10h14l-7 8z'],
  ],
  'ethereum:usdc': [
    ['line', 'M10 2l7 8-7 8-7-8z', 1.8],
    ['area', 'M10 7.400a2.600 2.600 0 1 1 0 5.200a2.600 2.600 0 1 1 0-5.200z'],
  ],
  'tron:trx': [['area', 'M1 2.500h18L10 19z']],
  'tron:usdt': [
    ['line', 'M2.400 3.300h15.200L10 17.200z', 1.8],
    ['line', 'M10 3.300v12', 3],
  ],
  'solana:sol': [['area', 'M5 3h13l-3.400 5.600H1.600zM5 11.400h13L14.600 17H1.600z']],
  'litecoin:ltc': [
    ['area', 'M5.500 2h9L19 10l-4.500 8h-9L1 10z'],
    ['cut', 'M6 13l8-6', 2],
  ],
};
