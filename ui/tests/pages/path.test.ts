// The path of a first sale through the built window, with the program behind it played by a typed fake.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SessionView } from '$lib/api/generated/SessionView';
import { ids } from '$lib/testids';
import { launch, openWindow, serve } from '../support/browser';
import type { TestWindow, WindowOptions } from '../support/browser';
import * as fixtures from '../support/fixtures';
import { handlers, Refusal } from '../support/host';
import type { Handlers } from '../support/host';

let browser: Browser;
let server: { url: string; close: () => Promise<void> };
let window: TestWindow;

beforeAll(async () => {
  [browser, server] = [await launch(), await serve()];
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
afterEach(async () => {
  expect(window.complaints).toEqual([]);
  await window.context.close();
});

async function start(more: Partial<Handlers> = {}, options: WindowOptions = {}): Promise<TestWindow> {
  window = await openWindow(browser, server.url, handlers(more), options);
  return window;
}
const at = (id: string) => window.page.getByTestId(id).filter({ visible: true });
const text = async (id: string) => (await at(id).first().innerText()).trim();
const calls = (name: string) =>
  window.calls.filter((call) => call.name === name).map(({ request }) => request);

test('a newcomer orders two lots, registers on the way, and pays from the slip alone', async () => {
  let session: SessionView = fixtures.nobody;
  await start({ session: () => session, register: () => (session = fixtures.customer) }, { started: false });
  await at(ids.welcome_catalogue).click();
  await at(ids.configure('b200')).click();
  await at(ids.lots_more).click();
  await window.page.waitForFunction(
    (id) => document.querySelector(`[data-testid="${id}"]`)?.textContent === '4',
    ids.figure_gpus,
  );
  expect([await text(ids.figure_lots), await text(ids.figure_gpus), await text(ids.figure_total)]).toEqual([
    '2',
    '4',
    '$2,780.00',
  ]);
  await at(ids.preparation('notebook')).check();
  await at(ids.configure_review).click();
  await at(ids.review_register).click();
  await at(ids.register_first_name).fill('Ada');
  await at(ids.register_last_name).fill('Example');
  await at(ids.register_email).fill('ada@example.com');
  await at(ids.register_password).fill('x'.repeat(14));
  await window.page.waitForSelector(
    `[data-testid="${ids.register_password_count}"][data-refused="too_short"]`,
  );
  await at(ids.register_password).fill('four unrelated words here');
  await window.page.waitForSelector(
    `[data-testid="${ids.register_password_count}"][data-count="25"][data-refused=""]`,
  );
  await at(ids.register_submit).click();
  // The choice survived the registration, the notebook included.
  expect(await text(ids.review_gpus)).toBe('4');
  await at(ids.place_order).click();
  await at(ids.get_instructions).click();
  expect(calls('place_order')).toEqual([
    {
      offer_id: 'b200',
      lots: 2,
      days: 7,
      preparation: 'notebook',
      ssh_public_key: null,
      confirmed_total: '2780.00',
    },
  ]);
  expect(calls('create_payment')).toMatchObject([{ method: 'litecoin:ltc', confirmed_total: '2780.00' }]);
  expect((await text(ids.slip_address)).replace(/\s/g, '')).toBe(fixtures.address);
  expect(await text(ids.slip_amount)).toBe(fixtures.amount);
  await at(ids.slip_copy_address).click();
  await at(ids.slip_copy_amount).click();
  expect(window.copied).toEqual([fixtures.address, fixtures.amount]);
  const drawn = await at(ids.slip_qr).getAttribute('src');
  expect(decodeURIComponent(drawn?.split(',').slice(1).join(',') ?? '')).toBe(fixtures.qr_svg);
});

test('amounts for a wallet use a dot and no grouping in every language', async () => {
  const payment = () => fixtures.screen({ ...fixtures.open_slip, amount: '12345.678901' });
  for (const locale of ['en', 'pt-BR', 'tr']) {
    if (locale !== 'en') await window.context.close();
    await start({ payment }, { locale });
    await window.open('/payments/p');
    expect(await text(ids.slip_amount)).toBe('12345.678901');
  }
});

test('money on its way is not asked for again, and what is owed is asked for beside what is missing', async () => {
  let to_pay: typeof fixtures.to_pay | null = null;
  await start({ order: () => fixtures.order({ headline: { kind: 'seen' }, to_pay }) });
  await window.open('/orders/o');
  await at(ids.order_state).waitFor();
  expect(await at(ids.order_pay).count()).toBe(0);
  to_pay = { ...fixtures.to_pay, owed: '1341.00', asked: '4121.00' };
  await window.open('/orders/owing');
  expect(await text(ids.order_pay)).toContain('$4,121.00');
  expect(await window.page.innerText('main')).toContain('$1,341.00');
  await window.open('/orders/owing/method');
  await at(ids.get_instructions).click();
  expect(calls('create_payment')).toMatchObject([{ confirmed_total: '4121.00' }]);
});

test('a changed price is shown beside the old one and must be accepted before anything is ordered', async () => {
  let price = '2780.00';
  await start({
    place_order: ({ confirmed_total }) => {
      if (confirmed_total !== '2900.00') {
        price = '2900.00';
        throw new Refusal({ code: 'price_changed', confirmed: confirmed_total, now: '2900.00' });
      }
      return fixtures.order({ total: '2900.00', missing: '2900.00' });
    },
    figures: ({ lots }) => ({ ...handlers().figures({ offer_id: 'b200', lots, days: 7 }), total: price }),
  });
  await window.open('/configure/b200');
  await at(ids.lots_more).click();
  await at(ids.configure_review).click();
  await at(ids.place_order).click();
  expect([await text(ids.price_before), await text(ids.price_now)]).toEqual(['$2,780.00', '$2,900.00']);
  await at(ids.place_order).click({ force: true });
  expect(calls('place_order')).toHaveLength(1);
  await at(ids.price_accept).click();
  await at(ids.place_order).click();
  await at(ids.get_instructions).waitFor();
  expect(calls('place_order')).toMatchObject([
    { confirmed_total: '2780.00' },
    { confirmed_total: '2900.00' },
  ]);
});

test('a refusal gives its own sentence and no address, and the same harness sees the address of the good one', async () => {
  let slip: Parameters<typeof fixtures.screen>[0] = fixtures.open_slip;
  await start({ payment: () => fixtures.screen(slip) });
  await window.open('/payments/p');
  const everything = async () =>
    ((await window.page.content()) + (await window.page.innerText('body'))).replace(/\s/g, '');
  // The address stands in pieces; its middle is looked for in the text without gaps.
  const seen = async () =>
    (await window.page.innerText('main')).replace(/\s/g, '').includes(fixtures.address);
  expect(await seen()).toBe(true);
  const sentences = new Set<string>();
  for (const reason of [
    'bad_signature',
    'unknown_key',
    'old_epoch',
    'past_last_day',
    'address_reused',
    'wrong_total',
  ] as const) {
    slip = { state: 'refused', reason };
    await window.changed();
    await window.page.waitForSelector(`[data-testid="${ids.slip_refused_reason}"][data-reason="${reason}"]`);
    sentences.add(await text(ids.slip_refused_reason));
    expect(await seen()).toBe(false);
    expect(await everything()).not.toContain(fixtures.address);
    for (const gone of [ids.slip_qr, ids.slip_copy_address, ids.slip_copy_amount, ids.slip_open_wallet]) {
      expect(await window.page.getByTestId(gone).count()).toBe(0);
    }
  }
  expect(sentences.size).toBe(6);
});

test('when the server falls silent, code, copy buttons and link go and the reason is said; the notice is kept', async () => {
  let session = fixtures.customer;
  await start({
    session: () => session,
    notice: () => ({ ...fixtures.screen({ state: 'withdrawn' }), notice_unsent: true }),
  });
  await window.open('/payments/p');
  await at(ids.slip_qr).waitFor();
  session = { ...fixtures.customer, online: false, synced_at: fixtures.at(-61_000) };
  await window.changed();
  await at(ids.slip_withdrawn).waitFor();
  for (const gone of [
    ids.slip_qr,
    ids.slip_address,
    ids.slip_copy_address,
    ids.slip_copy_amount,
    ids.slip_open_wallet,
  ]) {
    expect(await window.page.getByTestId(gone).count()).toBe(0);
  }
  expect(await at(ids.offline_strip).isVisible()).toBe(true);
  await at(ids.notice_button).click();
  await window.page.waitForSelector(`[data-testid="${ids.notice_said}"][data-unsent="true"]`);
  session = fixtures.customer;
  await window.changed();
  await at(ids.slip_qr).waitFor();
});

test('instructions that are taken back while the server answers say why: signed out, or nothing fetched', async () => {
  let session = { ...fixtures.customer, synced_at: fixtures.at(-61_000) };
  await start({ session: () => session, payment: () => fixtures.screen({ state: 'withdrawn' }) });
  await window.open('/payments/p');
  await at(ids.slip_withdrawn).waitFor();
  expect(await at(ids.slip_withdrawn).innerText()).toContain('your account was last fetched');
  session = { ...session, sign_in_ended: 'expired' };
  await window.changed();
  await window.page.waitForSelector(`[data-testid="${ids.slip_withdrawn}"]:has-text("signed out")`);
  expect(await at(ids.slip_withdrawn).innerText()).not.toContain('does not answer');
});

test('where no address is shown nobody is told to pay, and while money is on its way nobody is offered to pay again', async () => {
  let screen = fixtures.screen({ state: 'refused', reason: 'bad_signature' });
  await start({ payment: () => screen });
  await window.open('/payments/p');
  await at(ids.slip_refused).waitFor();
  expect(await window.page.innerText('main')).not.toContain('Send the amount');
  for (const kind of ['seen', 'confirming', 'in_review', 'late', 'waiting'] as const) {
    screen = { ...fixtures.by_headline[kind], slip: fixtures.closed_slip };
    await window.changed();
    await window.page.waitForSelector(`[data-testid="${ids.payment_headline}"][data-kind="${kind}"]`);
    await at(ids.slip_closed).waitFor();
    expect(await window.page.getByTestId(ids.new_instructions).count(), kind).toBe(0);
    expect(await window.page.innerText('main')).not.toContain('Send the amount');
  }
  screen = fixtures.by_headline.expired;
  await window.changed();
  await at(ids.new_instructions).waitFor();
});

test('at the deadline of the server’s clock nothing is left to scan or copy, although this clock is ten minutes behind', async () => {
  const deadline = fixtures.at(10 * 60_000 + (Date.now() - fixtures.now_ms) + 2_500);
  await start({
    session: () => ({ ...fixtures.customer, clock_offset_micros: String(10 * 60_000_000) }),
    payment: () => fixtures.screen(fixtures.open_slip, { deadline }),
  });
  await window.open('/payments/p');
  await at(ids.slip_qr).waitFor();
  expect(await text(ids.payment_countdown)).toMatch(/^00:0\d$/);
  await at(ids.slip_closed).waitFor();
  expect(await window.page.getByTestId(ids.slip_qr).count()).toBe(0);
  expect(await window.page.getByTestId(ids.slip_copy_address).count()).toBe(0);
  expect((await text(ids.slip_closed_address)).replace(/\s/g, '')).toBe(fixtures.address);
  // The watcher has not passed the deadline yet, so nothing is called expired.
  expect(await at(ids.payment_headline).getAttribute('data-kind')).toBe('waiting');
});

test('each headline stands once, with what happened, what is safe and what to do next', async () => {
  const kinds = Object.keys(fixtures.by_headline) as (keyof typeof fixtures.by_headline)[];
  let kind: (typeof kinds)[number] = 'waiting';
  await start({ payment: () => fixtures.by_headline[kind] });
  await window.open('/payments/p');
  for (kind of kinds) {
    await window.changed();
    await window.page.waitForSelector(`[data-testid="${ids.payment_headline}"][data-kind="${kind}"]`);
    expect(await window.page.getByTestId(ids.payment_headline).count()).toBe(1);
    const sentences = await window.page.getByTestId(ids.payment_headline).locator('p').allInnerTexts();
    expect(sentences.filter((sentence) => sentence.trim() !== '').length, kind).toBeGreaterThanOrEqual(3);
  }
});

test('access stays hidden until asked for, is copied without being shown, and hides again', async () => {
  await start();
  await window.page.clock.install();
  await window.open('/orders/active');
  expect(await window.page.innerText('main')).not.toContain('gpu-17.example.net');
  const widths = await window.page
    .locator(`[data-testid="${ids.access}"] svg.mask`)
    .evaluateAll((masks) => masks.map((mask) => mask.getBoundingClientRect().width));
  expect(widths.length).toBeGreaterThan(5);
  expect(new Set(widths).size).toBe(1);
  await at(ids.copy(ids.access_notebook_token)).click();
  expect(window.copied).toEqual([fixtures.access.notebook_token]);
  expect(await window.page.innerText('main')).not.toContain(fixtures.access.notebook_token ?? '?');
  await at(ids.access_show).click();
  expect(await text(ids.access_host)).toBe('gpu-17.example.net');
  expect(await text(ids.access_command)).toBe('ssh -p 22017 tenant@gpu-17.example.net');
  await window.page.clock.runFor(61_000);
  await window.page.waitForFunction(
    () => !document.querySelector('main')?.innerText.includes('gpu-17.example.net'),
  );
  // The clipboard was emptied as promised.
  expect(window.copied.at(-1)).toBe('');
});

test('signing out with something unsent offers to send it or to discard it, and nothing else', async () => {
  let session: SessionView = { ...fixtures.customer, unsent: 1 };
  await start({ session: () => session, sign_out: () => (session = fixtures.nobody) });
  await window.open('/settings');
  await at(ids.sign_out).click();
  expect(await window.page.getByTestId(ids.sign_out_confirm).count()).toBe(0);
  await window.page.keyboard.press('Escape');
  await window.page.getByTestId(ids.sign_out_send).waitFor({ state: 'detached' });
  expect(calls('sign_out')).toEqual([]);
  await at(ids.sign_out).click();
  await at(ids.sign_out_send).click();
  await at(ids.sign_in_email).waitFor();
  expect(calls('sign_out')).toEqual([{ unsent: 'send' }]);
});

test('an operator is asked for the code, prepares, checks and hands over', async () => {
  let session: SessionView = fixtures.nobody;
  let room = fixtures.order({
    id: 'o',
    state: 'settled',
    missing: '0.00',
    settled_at: fixtures.at(-1),
    headline: { kind: 'paid' },
  });
  const customer = { account_id: 'c', name: 'Ada Example', email: 'ada@example.com' };
  const move = (more: Partial<typeof room.fulfilment>) => {
    room = { ...room, fulfilment: { ...room.fulfilment, ...more } };
    return { order: room, customer };
  };
  await start({
    session: () => session,
    sign_in: ({ authenticator_code }) => {
      if (authenticator_code === null) throw new Refusal({ code: 'authenticator_code_needed' });
      return (session = fixtures.operator);
    },
    operator_orders: () => ({ orders: [{ order: room, customer }], cursor: null, to_prepare: 1 }),
    operator_order: () => ({ order: { order: room, customer }, payments: [] }),
    start_preparing: () => move({ state: 'preparing' }),
    record_acceptance: ({ devices }) => {
      const passed = devices === 4;
      const acceptance = {
        ...fixtures.acceptance,
        devices,
        passed,
        differences: passed ? [] : ['device_count'],
      };
      move({ acceptance });
      return { acceptance };
    },
    hand_over: () =>
      move({ state: 'active', starts_at: fixtures.at(0), ends_at: fixtures.at(7 * 86_400_000) }),
  });
  await window.open('/sign-in');
  await at(ids.sign_in_email).fill('operator@example.com');
  await at(ids.sign_in_password).fill('a long enough password');
  await at(ids.sign_in_submit).click();
  await at(ids.sign_in_code).fill('123456');
  await at(ids.sign_in_submit).click();
  await at(ids.work_row('o')).waitFor();
  await window.page.keyboard.press('j');
  await window.page.keyboard.press('Enter');
  await at(ids.prepare_start).click();
  await at(ids.accept_devices).fill('3');
  await at(ids.accept_name).fill('NVIDIA B200');
  await at(ids.accept_memory).fill('183359 MiB');
  await at(ids.accept_driver).fill('570.124.06');
  await at(ids.accept_unpartitioned).check();
  await at(ids.accept_access_removed).check();
  await at(ids.accept_submit).click();
  await window.page.waitForSelector(`[data-testid="${ids.accept_result}"][data-passed="false"]`);
  expect(await at(ids.accept_differences).locator('[data-code="device_count"]').count()).toBe(1);
  await at(ids.hand_host).fill('gpu-17.example.net');
  await at(ids.hand_submit).click({ force: true });
  expect(calls('hand_over')).toEqual([]);
  await at(ids.accept_devices).fill('4');
  await at(ids.accept_submit).click();
  await window.page.waitForSelector(`[data-testid="${ids.accept_result}"][data-passed="true"]`);
  await at(ids.hand_user).fill('tenant');
  await at(ids.hand_host_key).fill(fixtures.access.host_key_fingerprint);
  await at(ids.hand_verified).check();
  // A login counts for what was typed then; another value needs another login.
  await at(ids.hand_port).fill('22017');
  expect(await at(ids.hand_verified).isChecked()).toBe(false);
  await at(ids.hand_verified).check();
  await at(ids.hand_submit).click();
  await window.page.waitForSelector(`[data-testid="${ids.order_fulfilment}"][data-state="active"]`);
  expect(calls('record_acceptance')).toMatchObject([
    {
      devices: 3,
      device_names: ['NVIDIA B200', 'NVIDIA B200', 'NVIDIA B200'],
      memory_mib: [183359, 183359, 183359],
    },
    { devices: 4 },
  ]);
  expect(calls('hand_over')).toMatchObject([
    { access: { host: 'gpu-17.example.net', port: 22017, password: null } },
  ]);
});

test('an operator reads what driver was ordered, and is told that nothing is kept on this device', async () => {
  let online = true;
  await start({ session: () => ({ ...fixtures.operator, online }) });
  await window.open('/operator/orders/active');
  const ordered = await at(ids.accept_driver_ordered).innerText();
  expect(ordered).toContain('570.26 or newer');
  expect(ordered).toContain('CUDA 12.8');
  const rail = () => at(ids.sync_age).innerText();
  expect(await rail()).toContain('Lists are read from the server');
  expect(await rail()).not.toContain('Nothing fetched');
  online = false;
  await window.changed();
  await at(ids.offline_strip).waitFor();
  expect(await at(ids.offline_strip).innerText()).toContain('not kept on this device');
  await window.open('/settings');
  expect(await window.page.innerText('main')).toContain(fixtures.operator.account?.first_name);
});

test('the audit log names people, orders and actions, not ids', async () => {
  await start({ session: () => fixtures.operator });
  await window.open('/operator/audit');
  const row = (number: number) => at(ids.audit_row(number)).innerText();
  expect(await row(3)).toMatch(/Operator One\s+Access handed over\s+7F4M-2KQ9/);
  expect(await row(1)).toMatch(/Command line of the server\s+Operator added\s+Operator One/);
});

test('a state from a newer server stands beside the last known one', async () => {
  await start({
    order: () => fixtures.unknownOrder(),
    orders: () => ({ orders: [fixtures.unknownOrder()] }),
  });
  await window.open('/orders/o');
  expect(await at(ids.order_payment).innerText()).toContain('Unknown to this version; last known: Paid');
  expect(await at(ids.order_fulfilment).innerText()).toContain('last known: Preparing');
  await window.open('/orders');
  expect(await at(ids.order_row(fixtures.unknownOrder().id)).innerText()).toContain('last known: Paid');
  await start({ payment: () => fixtures.by_headline.unknown });
  await window.open('/payments/p');
  expect(await window.page.innerText('main')).toContain('The last one it knew was: Paid.');
});

test('where no program opens the wallet link, the window says what to do instead', async () => {
  await start({
    open_wallet: () => {
      throw new Refusal({ code: 'no_wallet' });
    },
  });
  await window.open('/payments/p');
  await at(ids.slip_open_wallet).click();
  await window.page.waitForSelector(`[data-testid="${ids.error}"][data-code="no_wallet"]`);
  expect(await at(ids.error).innerText()).toContain('Copy address and amount');
  expect(await at(ids.slip_qr).isVisible(), 'the slip stays').toBe(true);
});

test('an address of one payment never stands on the page of another while that is fetched', async () => {
  let answer: (() => void) | null = null;
  const late = new Promise<void>((resolve) => (answer = resolve));
  await start({
    payment: ({ payment_id }) => {
      if (payment_id === 'second')
        return late.then(() => fixtures.screen({ state: 'refused', reason: 'bad_record' })) as never;
      return fixtures.by_headline.waiting;
    },
  });
  await window.open('/payments/first');
  await at(ids.slip_address).waitFor();
  void window.open('/payments/second').catch(() => undefined);
  await window.page.getByTestId(ids.slip_address).waitFor({ state: 'detached' });
  expect((await window.page.innerText('main')).replace(/\s/g, '')).not.toContain(fixtures.address);
  (answer as unknown as () => void)();
  await at(ids.slip_refused).waitFor();
});

test('the sandbox says so on every screen, fills in the open payment, and sends what was typed', async () => {
  await start({ session: () => ({ ...fixtures.customer, sandbox_build: true }) });
  for (const route of ['/catalogue', '/orders', '/settings', '/sandbox']) {
    await window.open(route);
    expect(await at(ids.sandbox_strip).isVisible()).toBe(true);
  }
  await at(ids.sandbox_use_payment(fixtures.payment().id)).click();
  await at(ids.sandbox_amount).fill('20');
  await at(ids.sandbox_send).click();
  await at(ids.sandbox_sent).waitFor();
  await at(ids.sandbox_mine_blocks).fill('6');
  await at(ids.sandbox_mine).click();
  await at(ids.sandbox_undo_blocks).fill('2');
  await at(ids.sandbox_undo).click();
  await window.page.waitForFunction(() => true);
  await expect.poll(() => calls('sandbox_mine').length).toBe(2);
  expect(calls('sandbox_send')).toEqual([{ address: fixtures.address, amount: '20' }]);
  expect(calls('sandbox_mine')).toEqual([
    { blocks: 6, undo: 0 },
    { blocks: 3, undo: 2 },
  ]);
});

test('the history is saved as the file that the program made', async () => {
  await start();
  await window.open('/history');
  await at(ids.export_csv).click();
  await at(ids.exported).waitFor();
  expect(window.saved).toEqual([{ name: 'kernodeck-history.csv', text: 'reference\n7F4M-2KQ9\n' }]);
});

test('the whole window follows the chosen language at once, and keeps it', async () => {
  await start();
  await window.open('/settings');
  await at(ids.setting_language('tr')).check();
  expect(await window.page.innerText('h1')).toBe('Ayarlar');
  expect(await window.page.evaluate(() => document.documentElement.lang)).toBe('tr');
  await window.page.reload();
  await window.page.getByText('Ayarlar').first().waitFor();
});

test('keys: a slash searches, J and K move, Esc leaves the field and then the page', async () => {
  await start();
  await window.open('/orders');
  await window.page.keyboard.press('/');
  expect(await window.page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  await window.page.keyboard.press('Escape');
  await window.page.keyboard.press('j');
  await window.page.keyboard.press('j');
  await window.page.keyboard.press('k');
  const focused = () => window.page.evaluate(() => document.activeElement?.textContent?.trim());
  expect(await focused()).toBe('7F4M-2KQ9');
  await window.page.keyboard.press('Enter');
  await at(ids.order_state).waitFor();
  await window.page.keyboard.press('Escape');
  await window.page.waitForFunction(() => location.hash === '#/orders');
});

test('tab follows the slip: copy address, copy amount, wallet, then the notice', async () => {
  await start();
  await window.open('/payments/p');
  const order = await window.page
    .locator('main button:visible')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('data-testid')));
  expect(order).toEqual([
    ids.slip_copy_address,
    ids.slip_copy_amount,
    ids.slip_open_wallet,
    ids.notice_button,
  ]);
});

test('a new state is said to people who do not see it, and the focus stays', async () => {
  let kind: keyof typeof fixtures.by_headline = 'waiting';
  await start({ payment: () => fixtures.by_headline[kind] });
  await window.open('/payments/p');
  await at(ids.notice_button).focus();
  kind = 'seen';
  await window.changed();
  await window.page.waitForFunction(
    (id) => document.querySelector(`[data-testid="${id}"]`)?.textContent?.includes('Seen'),
    ids.live_region,
  );
  expect(await window.page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe(
    ids.notice_button,
  );
});

test('an operator types a code for a new password, and a customer is asked for none', async () => {
  let refused = true;
  await start({
    session: () => fixtures.operator,
    change_password: () => {
      if (refused) throw new Refusal({ code: 'authenticator_code_needed' });
      return {};
    },
  });
  await window.open('/settings');
  await at(ids.old_password).fill('a password of before');
  await at(ids.new_password).fill('eleven yellow llamas');
  await at(ids.change_password).click();
  await at(ids.error).waitFor();
  refused = false;
  await at(ids.change_password_code).fill('123456');
  await at(ids.change_password).click();
  await at(ids.password_changed).waitFor();
  const passwords = { old_password: 'a password of before', new_password: 'eleven yellow llamas' };
  expect(calls('change_password')).toEqual([
    { ...passwords, authenticator_code: null },
    { ...passwords, authenticator_code: '123456' },
  ]);
  await window.context.close();
  await start();
  await window.open('/settings');
  await at(ids.old_password).waitFor();
  expect(await at(ids.change_password_code).count()).toBe(0);
});

test('a sign-in that was copied, and an account that was removed, are told apart', async () => {
  await start({ session: () => ({ ...fixtures.customer, sign_in_ended: 'copied' }) });
  await window.open('/orders');
  expect(await text(ids.copied_strip)).toContain('two places');
  expect(await at(ids.expired_strip).count()).toBe(0);
  await window.context.close();
  await start({ session: () => ({ ...fixtures.customer, sign_in_ended: 'removed' }) });
  await window.open('/orders');
  await at(ids.removed_strip).getByRole('link').click();
  await at(ids.register_email).waitFor();
});
