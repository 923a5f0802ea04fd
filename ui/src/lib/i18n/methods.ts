import { m } from '$lib/paraglide/messages';

/** What is fixed about a method: names of the field, the same in every language. */
interface MethodFacts {
  /** One unbreakable word: asset and network. */
  label: string;
  asset: string;
  network: string;
  /** How wallets call the network. */
  wallets_say: string;
  about: () => string;
  /** How its addresses begin on the real network; empty where nothing is fixed. */
  start: string;
}

/** The eight methods. «USDT» alone is no label, filter, unit or column. */
const facts: Record<string, MethodFacts> = {
  'bitcoin:btc': {
    label: 'BTC-Bitcoin',
    asset: 'BTC',
    network: 'Bitcoin',
    wallets_say: 'Bitcoin, BTC',
    about: m.method_about_btc,
    start: 'bc1',
  },
  'ethereum:eth': {
    label: 'ETH-Ethereum',
    asset: 'ETH',
    network: 'Ethereum',
    wallets_say: 'Ethereum, ERC-20',
    about: m.method_about_eth,
    start: '0x',
  },
  'ethereum:usdt': {
    label: 'USDT-Ethereum',
    asset: 'USDT-Ethereum',
    network: 'Ethereum',
    wallets_say: 'Ethereum, ERC-20',
    about: m.method_about_erc20,
    start: '0x',
  },
  'ethereum:usdc': {
    label: 'USDC-Ethereum',
    asset: 'USDC-Ethereum',
    network: 'Ethereum',
    wallets_say: 'Ethereum, ERC-20',
    about: m.method_about_erc20,
    start: '0x',
  },
  'tron:trx': {
    label: 'TRX-Tron',
    asset: 'TRX',
    network: 'Tron',
    wallets_say: 'Tron, TRC-20',
    about: m.method_about_trx,
    start: 'T',
  },
  'tron:usdt': {
    label: 'USDT-Tron',
    asset: 'USDT-Tron',
    network: 'Tron',
    wallets_say: 'Tron, TRC-20',
    about: m.method_about_trc20,
    start: 'T',
  },
  'solana:sol': {
    label: 'SOL-Solana',
    asset: 'SOL',
    network: 'Solana',
    wallets_say: 'Solana',
    about: m.method_about_sol,
    start: '',
  },
  'litecoin:ltc': {
    label: 'LTC-Litecoin',
    asset: 'LTC',
    network: 'Litecoin',
    wallets_say: 'Litecoin, LTC',
    about: m.method_about_ltc,
    start: 'ltc1',
  },
};

/** The name of a method; a method that this version does not know keeps its code. */
export function methodName(method: string): string {
  return facts[method]?.label ?? method;
}

/** The name of its asset beside an amount. */
export function assetName(method: string): string {
  return facts[method]?.asset ?? method;
}

/** The code of its network, `litecoin`. */
export function networkCode(method: string): string {
  return method.split(':')[0] ?? method;
}

/** The name of its network. */
export function networkName(method: string): string {
  return facts[method]?.network ?? networkCode(method);
}

/** How wallets call its network. */
export function walletsSay(method: string): string {
  return facts[method]?.wallets_say ?? networkName(method);
}

/** What it is, and how its addresses begin when the network is the real one. */
export function methodAbout(method: string, environment: string | null): string {
  const known = facts[method];
  if (!known) return '';
  return environment === 'production' ? aboutWithStart(known, known.start) : known.about();
}

/** What it is, and how this very address begins: test networks have beginnings of their own. */
export function methodAboutAddress(method: string, address: string): string {
  const known = facts[method];
  if (!known) return '';
  const separator = address.indexOf('1');
  const bech32 = /^(bc1|ltc1)$/.test(known.start) && separator > 0;
  return aboutWithStart(known, bech32 ? address.slice(0, separator + 1) : known.start);
}

function aboutWithStart(known: MethodFacts, start: string): string {
  return start === '' ? known.about() : `${known.about()}, ${m.addresses_start({ start })}`;
}

/** A method's name inside a sentence: one word that no line breaks, as a half of it names another method. */
export function unbroken(name: string): string {
  return name.replace('-', '-\u2060');
}
