import { brokerageRoutes, type ConnectedAccount } from '#shared/api/brokerage.ts'
import { copierRoutes, type CopyGroup, type GroupDraft, type GroupFault } from '#shared/api/copier.ts'
import { group, rule } from '#tests/helpers/copier-live.ts'
import { draw, somebody, type Answer } from '#tests/helpers/drawn.tsx'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { GroupEditor } from './group-editor.tsx'

const [lead, ava, ben, cleo] = ['tradovate:demo:1', 'tradovate:demo:2', 'tradovate:live:3', 'tradovate:live:4'] as const
const names = { [lead]: 'LEAD', [ava]: 'AVA', [ben]: 'BEN', [cleo]: 'CLEO' }
const account = ([id, name]: [string, string]): ConnectedAccount => ({ id, name, environment: 'demo', loginId: 'l', loginName: 'nina', balance: '0', currency: 'USD', balanceAt: null, firm: 'Topstep', copyOf: null, sync: { state: 'good', lastGoodAt: null, nextTryAt: null }, fills: 0 })
const failed: Answer = { status: 400, json: { success: false, code: 'invalid-request', error: 'invalid-request' } }

const open = async ({ edited = null, armed = false }: { edited?: CopyGroup | null; armed?: boolean } = {}) => {
  const onClose = vi.fn()
  const program: { answer: Answer; groups: CopyGroup[] } = { answer: { json: { group: null, fault: null } }, groups: edited === null ? [] : [edited] }
  const editor = (now: CopyGroup | null, isArmed: boolean) => <GroupEditor group={now} groups={program.groups} armed={isArmed} used={edited?.followers.length ?? 0} limit={2} onClose={onClose} />
  const { asked, ...drawn } = await draw(editor(edited, armed), {
    namespaces: ['trade-copier', 'ui', 'problems'],
    session: somebody,
    answers: {
      [brokerageRoutes.connectedAccounts.path]: () => ({ json: { accounts: Object.entries(names).map(account) } }),
      [copierRoutes.saveGroup.path]: () => program.answer,
    },
  })
  await screen.findByLabelText('AVA follows')
  return {
    ...drawn,
    onClose,
    refuse: (fault: GroupFault | null): void => { program.answer = fault === null ? failed : { json: { group: null, fault } } },
    sent: () => asked.flatMap(({ path, body }) => (path === copierRoutes.saveGroup.path ? [body as { id: string | null; draft: GroupDraft }] : [])),
    save: () => drawn.user.click(screen.getByText('Save group')),
    tick: (name: string) => drawn.user.click(screen.getByLabelText(`${name} follows`)),
    show: (name: string) => drawn.user.click(within(screen.getByLabelText('Accounts that can follow')).getByText(name)),
    press: (name: string) => drawn.user.click(screen.queryByLabelText(name) ?? screen.getByText(name)),
    choose: async (label: string, option: string): Promise<void> => {
      screen.getByLabelText(label).focus()
      await drawn.user.keyboard('{Enter}')
      await drawn.user.click(await screen.findByRole('option', { name: option }))
    },
    map: async (item: string): Promise<void> => {
      screen.getByText('Add mapping').focus()
      await drawn.user.keyboard('{Enter}')
      await drawn.user.click(await screen.findByRole('menuitem', { name: item }))
    },
  }
}

const field = (label: string): HTMLInputElement => screen.getByLabelText(label)
const enter = (label: string, value: string): void => { fireEvent.change(field(label), { target: { value } }) }
const ratioLabel = 'Follower contracts per leader contracts'
const ratio = (): string => [field(ratioLabel), field('Leader contracts')].map(({ value }) => value).join(':')
const mappings = (): string[] => screen.queryAllByLabelText(/^Mapping \d+: /).map((input) => (input as HTMLInputElement).value)
const isOn = (name: string): string | null => screen.getByLabelText(name).getAttribute('aria-checked')
const shown = (): string | null => document.querySelector('[role=group][aria-label$=" follows"]')?.getAttribute('aria-label') ?? null
const alerts = (): (string | null)[] => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
const marked = (): (string | null)[] => screen.queryAllByLabelText('Needs correction').map((mark) => mark.closest('li')?.querySelector('[role=checkbox]')?.getAttribute('aria-label') ?? null)

test('a new group begins with the safe choices, and what is missing shows when it is saved, until something is changed', async () => {
  const { save, sent, onClose, choose, tick } = await open()
  expect([field('Name').value, ['Mirror exits', 'Dry run'].map(isOn), shown()]).toEqual(['', ['true', 'true'], null])
  await save()
  await vi.waitFor(() => { expect(alerts()).toEqual(['Give the group a name.', 'Choose the leader account.', 'Select at least one follower account.']) })
  await vi.waitFor(() => { expect(document.activeElement).toBe(field('Name')) })
  expect([sent(), onClose.mock.calls]).toEqual([[], []])
  enter('Name', '  Morning ')
  await vi.waitFor(() => { expect(alerts()).toEqual([]) })
  await save()
  await vi.waitFor(() => { expect(alerts()).toEqual(['Choose the leader account.', 'Select at least one follower account.']) })
  await choose('Leader', 'LEAD')
  await tick('AVA')
  expect([alerts(), screen.queryByLabelText('LEAD follows'), shown()]).toEqual([[], null, 'How AVA follows'])
  await save()
  await vi.waitFor(() => { expect(onClose).toHaveBeenCalledOnce() })
  expect(sent()).toEqual([{ id: null, draft: { name: 'Morning', leader: lead, followers: [rule(ava)], exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: true } }])
})

test('a new follower begins like the last one; each keeps what is typed for it while others come and go', async () => {
  const { user, save, sent, choose, tick, show, map, press } = await open()
  enter('Name', 'Morning')
  await choose('Leader', 'LEAD')
  await tick('AVA')
  await user.click(screen.getByRole('radio', { name: '1:2' }))
  await map('NQ → MNQ, 10 for 1')
  await map('Another…')
  enter('Mapping 2: the leader’s product', 'es')
  enter('Mapping 2: the follower’s product', 'mes')
  enter('Mapping 2: contracts of the follower', '5')
  enter('Contract cap', '20')
  enter('Daily loss limit', '1,250.50')
  await tick('BEN')
  expect([shown(), ratio(), mappings(), field('Contract cap').value]).toEqual(['How BEN follows', '1:2', ['NQ', 'MNQ', '10', '1', 'es', 'mes', '5', '1'], '20'])
  expect(screen.getByText('3 leader contracts → 1. 1 contract alone is not copied: Fillbook never rounds up.')).toBeTruthy()
  expect(screen.getByText('2 of 2 copy accounts with this group')).toBeTruthy()
  await press('Remove mapping 1')
  enter(ratioLabel, '3')
  enter('Products to copy', 'nq, es;cl')
  enter('Maximum position', ' 40 ')
  await user.click(screen.getByLabelText('Invert'))
  await tick('CLEO')
  expect([shown(), ratio(), mappings(), field('Products to copy').value, isOn('Invert')]).toEqual(['How CLEO follows', '3:2', ['es', 'mes', '5', '1'], 'nq, es;cl', 'true'])
  expect(screen.getByText('3 of 2 copy accounts with this group')).toBeTruthy()
  enter(ratioLabel, '7')
  enter('Mapping 1: contracts of the follower', '6')
  enter('Max rejects', '9')
  await user.click(screen.getByLabelText('CLEO is on'))
  await show('AVA')
  expect([shown(), ratio(), mappings(), field('Max rejects').value, field('Products to copy').value, isOn('Invert')]).toEqual(['How AVA follows', '1:2', ['NQ', 'MNQ', '10', '1', 'es', 'mes', '5', '1'], '5', '', 'false'])
  // The settings of the last one show while the first leaves, and stay its own.
  await show('CLEO')
  await tick('AVA')
  expect([shown(), ratio(), mappings(), field('Max rejects').value, isOn('CLEO is on')]).toEqual(['How CLEO follows', '7:2', ['es', 'mes', '6', '1'], '9', 'false'])
  enter('Daily profit limit', '$900')
  await tick('AVA')
  expect([shown(), ratio(), mappings(), field('Daily profit limit').value]).toEqual(['How AVA follows', '7:2', ['es', 'mes', '6', '1'], '$900'])
  enter(ratioLabel, '1')
  await show('BEN')
  expect([ratio(), mappings(), field('Daily profit limit').value]).toEqual(['3:2', ['es', 'mes', '5', '1'], ''])
  await save()
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  const es = (num: number) => [{ from: 'ES', to: 'MES', factor: { num, den: 1 } }]
  const limits = { contractCap: 20, maxPosition: 40, products: ['NQ', 'ES', 'CL'], dailyLoss: '1250.50', invert: true }
  expect(sent()[0]?.draft.followers).toEqual([
    rule(ben, { ...limits, ratio: { num: 3, den: 2 }, mappings: es(5) }),
    rule(cleo, { ...limits, on: false, ratio: { num: 7, den: 2 }, mappings: es(6), dailyProfit: '900', maxRejects: 9 }),
    rule(ava, { ...limits, ratio: { num: 1, den: 2 }, mappings: es(6), dailyProfit: '900', maxRejects: 9 }),
  ])
})

test('settings are copied to all followers', async () => {
  const { user, save, sent, press, show, map } = await open({ edited: group('g', lead, [rule(ava), rule(ben, { on: false, contractCap: 3 })]) })
  expect(shown()).toBe('How AVA follows')
  enter(ratioLabel, '4')
  enter('Daily profit limit', '100')
  await map('ES → MES, 10 for 1')
  await user.click(screen.getByLabelText('Guard'))
  await press('Use these settings for all')
  await show('BEN')
  expect([ratio(), field('Contract cap').value, field('Daily profit limit').value, mappings(), isOn('Guard'), isOn('BEN is on')]).toEqual(['4:1', '', '100', ['ES', 'MES', '10', '1'], 'true', 'false'])
  enter('Mapping 1: contracts of the follower', '9')
  await save()
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  const same = (num: number) => ({ ratio: { num: 4, den: 1 }, dailyProfit: '100', guard: true, mappings: [{ from: 'ES', to: 'MES', factor: { num, den: 1 } }] })
  expect(sent()[0]?.draft.followers).toEqual([rule(ava, same(10)), rule(ben, { on: false, ...same(9) })])
})

test('what is wrong with followers shows at its fields, the first of them first, and each is marked', async () => {
  const { save, sent, show, map, press } = await open({ edited: group('g', lead, [rule(ava), rule(ben), rule(cleo)]) })
  await show('BEN')
  enter('Leader contracts', '1.5')
  enter('Contract cap', '0x10')
  enter('Products to copy', 'NQ/ES')
  enter('Daily loss limit', '-5')
  await map('Another…')
  await show('CLEO')
  await map('NQ → MNQ, 10 for 1')
  await map('Another…')
  enter('Mapping 2: the leader’s product', 'nq')
  enter('Mapping 2: the follower’s product', 'NQ')
  await show('AVA')
  await save()
  await vi.waitFor(() => { expect([shown(), marked()]).toEqual(['How BEN follows', ['BEN follows', 'CLEO follows']]) })
  expect(alerts()).toEqual(['Enter whole numbers from 1 to 1,000.', 'Fill in both products and both whole numbers, or remove the line.', 'Enter product symbols, such as NQ, ES, CL.', 'Enter a whole number of at least 1.', 'Enter an amount above zero, such as 500 or 1,250.50.'])
  await vi.waitFor(() => { expect(document.activeElement).toBe(field(ratioLabel)) })
  await show('CLEO')
  expect(alerts()).toEqual(['Map each leader product only once.'])
  await show('BEN')
  expect(alerts()).toHaveLength(5)
  enter('Leader contracts', '2')
  await vi.waitFor(() => { expect([alerts(), marked()]).toEqual([[], []]) })
  enter('Contract cap', '')
  enter('Products to copy', '')
  enter('Daily loss limit', '')
  await press('Remove mapping 1')
  await save()
  await vi.waitFor(() => { expect([shown(), alerts(), marked()]).toEqual(['How CLEO follows', ['Map each leader product only once.'], ['CLEO follows']]) })
  await vi.waitFor(() => { expect(document.activeElement).toBe(field('Mapping 1: the leader’s product')) })
  await press('Remove mapping 1')
  expect([alerts(), mappings()]).toEqual([[], ['nq', 'NQ', '1', '1']])
  await save()
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  expect(sent()[0]?.draft.followers).toEqual([rule(ava), rule(ben, { ratio: { num: 1, den: 2 } }), rule(cleo, { mappings: [{ from: 'NQ', to: 'NQ', factor: { num: 1, den: 1 } }] })])
})

test('what the program refuses shows where it can be fixed, until something is changed; a failed save keeps what was typed and says why', async () => {
  const { save, sent, show, refuse, onClose } = await open({ edited: group('g', lead, [rule(ava), rule(ben)]) })
  const leader = screen.getByLabelText('Leader')
  const refused = async (code: GroupFault['code'], account: string | null): Promise<unknown[]> => {
    refuse({ code, account, limit: 2 })
    const before = sent().length
    await save()
    await vi.waitFor(() => { expect([sent().length, alerts()]).toEqual([before + 1, [expect.any(String)]]) })
    if (account === lead) await vi.waitFor(() => { expect(document.activeElement).toBe(leader) })
    const found = [alerts()[0], shown(), marked()]
    enter('Name', `Morning ${String(before)}`)
    await vi.waitFor(() => { expect([alerts(), marked()]).toEqual([[], []]) })
    return found
  }
  expect(await refused('plan-limit', null)).toEqual(['Your plan copies to 2 accounts over all groups. Remove followers, or choose a larger plan.', 'How AVA follows', []])
  expect(await refused('account-taken', ben)).toEqual(['Another profile on this computer copies with BEN. Disarm its group first.', 'How BEN follows', ['BEN follows']])
  expect(await refused('unknown-account', ava)).toEqual(['AVA is no longer connected here. Connect it again, or remove it.', 'How AVA follows', ['AVA follows']])
  expect(await refused('mapping-twice', ben)).toEqual(['Map each leader product only once.', 'How BEN follows', ['BEN follows']])
  expect(await refused('armed', lead)).toEqual(['An armed group keeps its leader and its dry run. Disarm it, then change them.', 'How BEN follows', []])
  expect(await refused('leader-follows', lead)).toEqual(['LEAD follows in another group. An account leads or follows, never both.', 'How BEN follows', []])
  expect(await refused('unknown-account', lead)).toEqual(['LEAD is no longer connected here. Connect it again, or remove it.', 'How BEN follows', []])
  await show('AVA')
  enter('Contract cap', '7')
  refuse(null)
  await save()
  await vi.waitFor(() => { expect(alerts()).toEqual(['A field in this form is not valid. Check the fields and try again.']) })
  expect([field('Contract cap').value, onClose.mock.calls]).toEqual(['7', []])
})

test('a saved group shows as it is, comes out as it was, and is left by Cancel without a call', async () => {
  const kept = group('g', lead, [rule(ava, { ratio: { num: 3, den: 2 }, products: ['NQ', 'ES'], dailyLoss: '400', contractCap: 2, invert: true, guard: true, mappings: [{ from: 'NQ', to: 'MNQ', factor: { num: 10, den: 1 } }] }), rule(ben, { on: false })], { mode: 'orders', unprotected: 'flatten', leftExits: 'cancel', exits: false })
  const first = await open({ edited: kept })
  expect(screen.getByRole('dialog', { name: 'Edit g' })).toBeTruthy()
  expect([field('Name').value, ...['Leader', 'Copy mode', 'If a stop is refused', 'When copying stops'].map((name) => screen.getByLabelText(name).textContent)]).toEqual(['g', 'LEAD', 'Working orders', 'Flatten the follower', 'Cancel working exits'])
  expect([shown(), ratio(), mappings(), field('Products to copy').value, field('Daily loss limit').value, ['Mirror exits', 'Dry run', 'Invert', 'Guard'].map(isOn)]).toEqual(['How AVA follows', '3:2', ['NQ', 'MNQ', '10', '1'], 'NQ, ES', '400', ['false', 'false', 'true', 'true']])
  await first.save()
  await vi.waitFor(() => { expect(first.onClose).toHaveBeenCalledOnce() })
  expect(first.sent()).toEqual([{ id: 'g', draft: { name: kept.name, leader: kept.leader, followers: kept.followers, exits: false, mode: 'orders', unprotected: 'flatten', leftExits: 'cancel', dryRun: false } }])
  first.unmount()
  const second = await open({ edited: kept })
  enter('Name', 'Other')
  await second.tick('BEN')
  await second.press('Cancel')
  expect([second.onClose.mock.calls.length, second.sent()]).toEqual([1, []])
  second.unmount()
  await open({ edited: kept })
  expect([field('Name').value, screen.getByLabelText('BEN follows').getAttribute('aria-checked')]).toEqual(['g', 'true'])
})

test('the choices of a group are sent, and an account that becomes its leader follows no longer', async () => {
  const { user, save, sent, choose } = await open({ edited: group('g', lead, [rule(ava), rule(ben, { contractCap: 3 })]) })
  await choose('Leader', 'AVA')
  expect([shown(), screen.queryByLabelText('AVA follows'), screen.getByText('Choose a follower to see its settings.')]).toEqual([null, null, expect.anything()])
  await choose('Copy mode', 'Working orders')
  await choose('If a stop is refused', 'Flatten the follower')
  await choose('When copying stops', 'Cancel working exits')
  await user.click(screen.getByLabelText('Mirror exits'))
  await user.click(screen.getByLabelText('Dry run'))
  await save()
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  expect(sent()[0]?.draft).toEqual({ name: 'g', leader: ava, followers: [rule(ben, { contractCap: 3 })], exits: false, mode: 'orders', unprotected: 'flatten', leftExits: 'cancel', dryRun: true })
})

test('the settings that show stay those of their follower while one before it leaves and leads', async () => {
  const { save, sent, tick, show, choose } = await open({ edited: group('g', lead, [rule(ava), rule(ben, { contractCap: 3 }), rule(cleo, { contractCap: 9 })]) })
  await show('BEN')
  await tick('AVA')
  await choose('Leader', 'AVA')
  expect([shown(), field('Contract cap').value]).toEqual(['How BEN follows', '3'])
  enter('Contract cap', '4')
  await save()
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  expect(sent()[0]?.draft).toMatchObject({ leader: ava, followers: [rule(ben, { contractCap: 4 }), rule(cleo, { contractCap: 9 })] })
})

test('an armed group keeps its leader and its dry run, and says who would stop following', async () => {
  const { user, tick, show, choose } = await open({ edited: group('g', lead, [rule(ava), rule(ben), rule(cleo)]), armed: true })
  expect(screen.getByText('This group is armed: changes take effect as soon as you save. Disarm it to change its leader or its dry run.')).toBeTruthy()
  expect([screen.getByLabelText('Leader'), screen.getByLabelText('Dry run')].map((one) => (one as HTMLButtonElement).disabled)).toEqual([true, true])
  await tick('AVA')
  expect(screen.getByText('AVA stops following. Its position stays open, and its working exits stay at the broker as OCO.')).toBeTruthy()
  await show('BEN')
  await user.click(screen.getByLabelText('BEN is on'))
  await choose('When copying stops', 'Cancel working exits')
  expect(screen.getByText('AVA, BEN stop following. Their positions stay open, and Fillbook cancels their working exits.')).toBeTruthy()
})

test('what is typed stays when another window saves a group, and the editor says so before it replaces that, and an account that it took, too', async () => {
  const edited = group('g', lead, [rule(ava), rule(ben)])
  const { rerender, client, save, sent, onClose } = await open({ edited })
  const changed = 'This group has changed since you opened it, in another window or by Fillbook. Saving replaces that change. To keep it, cancel and open the group again.'
  expect(screen.queryByText(changed)).toBeNull()
  enter('Name', 'Mine')
  enter('Contract cap', '7')
  const elsewhere = [group('g', cleo, [rule(ava, { contractCap: 1 })], { name: 'Theirs' }), group('h', lead, [rule(cleo)], { name: 'Evening' })]
  rerender(<QueryClientProvider client={client}><MemoryRouter><GroupEditor group={elsewhere[0] ?? null} groups={elsewhere} armed={false} used={2} limit={2} onClose={onClose} /></MemoryRouter></QueryClientProvider>)
  expect([field('Name').value, field('Contract cap').value, screen.getByLabelText('Leader').textContent]).toEqual(['Mine', '7', 'LEAD'])
  expect([screen.getByText('follows in Evening'), screen.getByText(changed)]).toHaveLength(2)
  await save()
  await vi.waitFor(() => { expect(sent()).toHaveLength(1) })
  expect(sent()[0]).toMatchObject({ id: 'g', draft: { name: 'Mine', leader: lead, followers: [rule(ava, { contractCap: 7 }), rule(ben)] } })
})
