// Reads a Litecoin payment's text with libraries that wallets use, and prints what a wallet would pay.
import { decode } from 'bip21';
import { address as addresses } from 'bitcoinjs-lib';

// The private test chain's parameters: litecoin-project/litecoin, src/chainparams.cpp, CRegTestParams.
const litecoin_regtest = {
  messagePrefix: '\x19Litecoin Signed Message:\n',
  bech32: 'rltc',
  bip32: { public: 0x043587cf, private: 0x04358394 },
  pubKeyHash: 0x6f,
  scriptHash: 0x3a,
  wif: 0xef,
};

const text = process.argv[2];
const { address, options } = decode(text, 'litecoin');
// Throws unless checksum, prefix and witness version are right.
addresses.toOutputScript(address, litecoin_regtest);
const { amount, ...others } = options;
if (typeof amount !== 'number' || !(amount > 0)) throw new Error(`no amount in ${text}`);
process.stdout.write(JSON.stringify({ address, amount: amount.toFixed(8), others: Object.keys(others).sort() }));
