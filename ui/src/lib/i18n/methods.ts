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
}

/** The eight methods. «USDT» alone is no label, filter, unit or column. */
const facts: Record<string, MethodFacts> = {
  'bitcoin:btc': {
    label: 'BTC-Bitcoin',
    asset: 'BTC',
    network: 'Bitcoin',
    wallets_say: 'Bitcoin, BTC',
    about: m.method_about_btc,
  },
  'ethereum:eth': {
    label: 'ETH-Ethereum',
    asset: 'ETH',
    network: 'Ethereum',
    wallets_say: 'Ethereum, ERC-20',
    about: m.method_about_eth,
  },
  'ethereum:usdt': {
    label: 'USDT-Ethereum',
    asset: 'USDT-Ethereum',
    network: 'Ethereum',
    wallets_say: 'Ethereum, ERC-20',
    about: m.method_about_erc20,
  },
  'ethereum:usdc': {
    label: 'USDC-Ethereum',
    asset: 'USDC-Ethereum',
    network: 'Ethereum',
    wallets_say: 'Ethereum, ERC-20',
    about: m.method_about_erc20,
  },
  'tron:trx': {
    label: 'TRX-Tron',
    asset: 'TRX',
    network: 'Tron',
    wallets_say: 'Tron, TRC-20',
    about: m.method_about_trx,
  },
  'tron:usdt': {
    label: 'USDT-Tron',
    asset: 'USDT-Tron',
    network: 'Tron',
    wallets_say: 'Tron, TRC-20',
    about: m.method_about_trc20,
  },
  'solana:sol': {
    label: 'SOL-Solana',
    asset: 'SOL',
    network: 'Solana',
    wallets_say: 'Solana',
    about: m.method_about_sol,
  },
  'litecoin:ltc': {
    label: 'LTC-Litecoin',
    asset: 'LTC',
    network: 'Litecoin',
    wallets_say: 'Litecoin, LTC',
    about: m.method_about_ltc,
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

/** What it is and how its addresses begin. */
export function methodAbout(method: string): string {
  return facts[method]?.about() ?? '';
}
