// Generated from the command list in crates/api. Do not edit.
import type { ApiError } from './ApiError';
import type { AuditAnswer } from './AuditAnswer';
import type { BalanceView } from './BalanceView';
import type { CatalogueView } from './CatalogueView';
import type { ChangePasswordForm } from './ChangePasswordForm';
import type { Done } from './Done';
import type { ExportAnswer } from './ExportAnswer';
import type { ExportRequest } from './ExportRequest';
import type { FiguresRequest } from './FiguresRequest';
import type { FiguresView } from './FiguresView';
import type { HandOverRequest } from './HandOverRequest';
import type { ListRequest } from './ListRequest';
import type { MethodsAnswer } from './MethodsAnswer';
import type { Nothing } from './Nothing';
import type { OperatorOrder } from './OperatorOrder';
import type { OperatorOrderAnswer } from './OperatorOrderAnswer';
import type { OperatorOrdersAnswer } from './OperatorOrdersAnswer';
import type { OperatorPaymentsAnswer } from './OperatorPaymentsAnswer';
import type { OrderForm } from './OrderForm';
import type { OrderRequest } from './OrderRequest';
import type { OrderView } from './OrderView';
import type { OrdersView } from './OrdersView';
import type { PasswordCheck } from './PasswordCheck';
import type { PasswordCheckRequest } from './PasswordCheckRequest';
import type { PaymentForm } from './PaymentForm';
import type { PaymentRequest } from './PaymentRequest';
import type { PaymentScreen } from './PaymentScreen';
import type { PrepareRequest } from './PrepareRequest';
import type { RecordAcceptanceAnswer } from './RecordAcceptanceAnswer';
import type { RecordAcceptanceRequest } from './RecordAcceptanceRequest';
import type { RegisterForm } from './RegisterForm';
import type { SandboxMineRequest } from './SandboxMineRequest';
import type { SandboxSendRequest } from './SandboxSendRequest';
import type { SandboxState } from './SandboxState';
import type { SessionView } from './SessionView';
import type { SignInForm } from './SignInForm';
import type { SignOutForm } from './SignOutForm';
import type { SshKeyCheck } from './SshKeyCheck';
import type { SshKeyCheckRequest } from './SshKeyCheckRequest';

export interface Commands {
  /** Who is signed in, and how fresh everything is. */
  session: { request: Nothing; answer: SessionView; audience: 'everyone' };
  /** Fetches what is new and sends what waits, now. */
  refresh: { request: Nothing; answer: SessionView; audience: 'everyone' };
  /** Checks a password as it is typed. */
  check_password: { request: PasswordCheckRequest; answer: PasswordCheck; audience: 'everyone' };
  /** Makes an account and signs it in. */
  register: { request: RegisterForm; answer: SessionView; audience: 'everyone' };
  /** Signs in. */
  sign_in: { request: SignInForm; answer: SessionView; audience: 'everyone' };
  /** Signs out and leaves nothing of the account on this device. */
  sign_out: { request: SignOutForm; answer: SessionView; audience: 'everyone' };
  /** Changes the password. */
  change_password: { request: ChangePasswordForm; answer: Done; audience: 'customer' };
  /** The catalogue as last told. */
  catalogue: { request: Nothing; answer: CatalogueView; audience: 'everyone' };
  /** The three figures of a choice. */
  figures: { request: FiguresRequest; answer: FiguresView; audience: 'everyone' };
  /** Checks an SSH public key as it is typed. */
  check_ssh_key: { request: SshKeyCheckRequest; answer: SshKeyCheck; audience: 'everyone' };
  /** Places an order. */
  place_order: { request: OrderForm; answer: OrderView; audience: 'customer' };
  /** Cancels an order. */
  cancel_order: { request: OrderRequest; answer: OrderView; audience: 'customer' };
  /** All orders held on this device. */
  orders: { request: Nothing; answer: OrdersView; audience: 'customer' };
  /** One order held on this device. */
  order: { request: OrderRequest; answer: OrderView; audience: 'customer' };
  /** The methods that an order can be paid with. */
  methods: { request: OrderRequest; answer: MethodsAnswer; audience: 'customer' };
  /** Asks for instructions. */
  create_payment: { request: PaymentForm; answer: PaymentScreen; audience: 'customer' };
  /** A payment, checked afresh each time it is drawn. */
  payment: { request: PaymentRequest; answer: PaymentScreen; audience: 'customer' };
  /** Says «I have paid»; kept and sent once when there is no network. */
  notice: { request: PaymentRequest; answer: PaymentScreen; audience: 'customer' };
  /** Opens the payment's URI in the system's wallet program. */
  open_wallet: { request: PaymentRequest; answer: Done; audience: 'customer' };
  /** The balance. */
  balance: { request: Nothing; answer: BalanceView; audience: 'customer' };
  /** The history as a file. */
  export_history: { request: ExportRequest; answer: ExportAnswer; audience: 'customer' };
  /** Orders, a page at a time. */
  operator_orders: { request: ListRequest; answer: OperatorOrdersAnswer; audience: 'operator' };
  /** One order with its payments. */
  operator_order: { request: OrderRequest; answer: OperatorOrderAnswer; audience: 'operator' };
  /** Payments and their transfers, a page at a time. */
  operator_payments: { request: ListRequest; answer: OperatorPaymentsAnswer; audience: 'operator' };
  /** Begins to prepare a settled order. */
  start_preparing: { request: PrepareRequest; answer: OperatorOrder; audience: 'operator' };
  /** Records the acceptance check. */
  record_acceptance: { request: RecordAcceptanceRequest; answer: RecordAcceptanceAnswer; audience: 'operator' };
  /** Hands over access; the clock starts. */
  hand_over: { request: HandOverRequest; answer: OperatorOrder; audience: 'operator' };
  /** The audit log. */
  audit: { request: ListRequest; answer: AuditAnswer; audience: 'operator' };
  /** The simulated network's state. */
  sandbox_status: { request: Nothing; answer: SandboxState; audience: 'sandbox' };
  /** Sends test coins. */
  sandbox_send: { request: SandboxSendRequest; answer: SandboxState; audience: 'sandbox' };
  /** Mines or undoes blocks. */
  sandbox_mine: { request: SandboxMineRequest; answer: SandboxState; audience: 'sandbox' };
}

export const audiences = {
  session: 'everyone',
  refresh: 'everyone',
  check_password: 'everyone',
  register: 'everyone',
  sign_in: 'everyone',
  sign_out: 'everyone',
  change_password: 'customer',
  catalogue: 'everyone',
  figures: 'everyone',
  check_ssh_key: 'everyone',
  place_order: 'customer',
  cancel_order: 'customer',
  orders: 'customer',
  order: 'customer',
  methods: 'customer',
  create_payment: 'customer',
  payment: 'customer',
  notice: 'customer',
  open_wallet: 'customer',
  balance: 'customer',
  export_history: 'customer',
  operator_orders: 'operator',
  operator_order: 'operator',
  operator_payments: 'operator',
  start_preparing: 'operator',
  record_acceptance: 'operator',
  hand_over: 'operator',
  audit: 'operator',
  sandbox_status: 'sandbox',
  sandbox_send: 'sandbox',
  sandbox_mine: 'sandbox',
} as const satisfies { [name in keyof Commands]: Commands[name]['audience'] };

export type { ApiError };
