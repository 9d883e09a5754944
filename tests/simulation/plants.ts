import type { Rule } from './lots.ts'

/** One text of the product that is another while a fault is planted. */
export type Change = { readonly file: string; readonly find: string; readonly replace: string }

/** A fault that is planted to see the judge find it: at least one for each way in which the copier once lost money. */
export type Plant = { readonly name: string; /** The first world that is run, where it is not 1: the one that showed the fault last, so that the test need not run those before it. */ readonly from?: number; readonly row: number; readonly says: string; /** The rules under which the judge may find it. */ readonly rules: readonly Rule[]; readonly changes: readonly Change[] }

const followers = 'electron/backend/copier/engine/followers.ts'
const progress = 'electron/backend/copier/engine/order-progress.ts'
const exitsLoop = 'electron/backend/copier/engine/exits-loop.ts'
const live = 'electron/backend/copier/engine/live-state.ts'

/** The planted faults. */
export const plants: readonly Plant[] = [
  {
    name: 'sells-what-a-hand-bought', row: 1, says: "a trade by hand is taken for the copier's and closed", rules: ['hands-off'],
    changes: [{ file: followers, find: '  const held = heldOf(follower, contract)\n', replace: '  const held = netOf(account, contract)\n' }],
  },
  {
    name: 'exits-apart', from: 79, row: 2, says: 'stop and target are two orders that know nothing of each other', rules: ['opposite', 'left-behind', 'bare', 'guard'],
    changes: [{
      file: exitsLoop, find: '  return [{ from: leg?.from.name ?? of.contract, draft: { ...of, side, qty, purpose: \'exit\', ...first, ...(second === undefined ? {} : { other: second }) } }]',
      replace: '  return [first, ...(second === undefined ? [] : [second])].map((each) => ({ from: leg?.from.name ?? of.contract, draft: { ...of, side, qty, purpose: \'exit\', ...each } }))',
    }],
  },
  {
    name: 'buys-back', from: 8, row: 3, says: 'what a hand closed is bought back without a question', rules: ['doubled'],
    changes: [{ file: progress, find: "  if (order === null || isTakenBack) standApart(state, before, buying - selling, changed, 'by-hand')\n  else if", replace: '  if (order === null || isTakenBack) return\n  else if' }],
  },
  {
    name: 'hedges-on-reversal', row: 4, says: 'a reversal is not looked at for hedges', rules: ['hedge'],
    changes: [{ file: followers, find: ' || wanted * projected < 0)', replace: ')' }],
  },
  {
    name: 'hedges-outside', row: 5, says: 'accounts that do not follow are not looked at for hedges', rules: ['hedge'],
    changes: [{ file: followers, find: 'userId === group.userId && !(group.settings.dryRun && group.followers.has(key))', replace: 'userId === group.userId && group.followers.get(key)?.rule.on === true' }],
  },
  {
    name: 'counts-the-first-quantity', from: 1_019, row: 4, says: 'a stop that was made smaller counts by its first quantity, and keeps others out as a hedge that is none', rules: ['false-reason'],
    changes: [{ file: followers, find: 'left: Math.max(0, Math.max(asked.qty, (orderId', replace: 'left: Math.max(0, Math.max(intent.qty, asked.qty, (orderId' }],
  },
  {
    name: 'stop-goes-before-the-close', row: 6, says: 'a close takes the stop away before it has filled', rules: ['bare'],
    changes: [{ file: 'shared/copier/decide.ts', find: 'exits.filter((exit) => exit.twin && exit.side === side)', replace: 'exits.filter((exit) => exit.side === side)' }, { file: 'shared/copier/decide.ts', find: 'Math.sign(after) === Math.sign(projected) ? wait(\'exits-cancelling\') : canceled(racing, difference)', replace: 'canceled(racing, difference)' }],
  },
  {
    name: 'green-without-a-stop', from: 46, row: 7, says: 'a row is green though its stop was refused', rules: ['not-said'],
    changes: [{ file: live, find: "  if (contracts.some(({ unprotected }) => unprotected)) return 'unprotected'\n", replace: '' }, { file: live, find: ' || exits.waiting > 0 || exits.refused !== null', replace: '' }, { file: live, find: "(state.why ?? (state.exitsRefused === null ? null : 'exit-refused'))", replace: 'state.why' }],
  },
  {
    name: 'closes-count-as-done', from: 9, row: 8, says: 'orders under way count as filled where the largest position is looked at', rules: ['above-cap'],
    changes: [
      { file: followers, find: 'if (other !== contract) left -= mostOf(reachIn(follower, account, other))', replace: 'if (other !== contract) { const { buying, selling } = inFlight(oursIn(account, other)); left -= Math.abs(netOf(account, other) + buying - selling) }' },
      { file: followers, find: '  const { low, high } = reachIn(follower, account, contract)\n  return Math.max(0, left - Math.max(0, (sign > 0 ? high : 0 - low) + closes))', replace: '  const { buying, selling } = inFlight(oursIn(account, contract))\n  return Math.max(0, left - Math.max(0, sign * (netOf(account, contract) + buying - selling)))' },
    ],
  },
  {
    name: 'exits-left', from: 8, row: 9, says: 'exits of a follower that is off are left to themselves', rules: ['left-behind', 'opposite'],
    changes: [{ file: 'electron/backend/copier/engine/maintain-groups.ts', find: '  manageLeftExits(deps)\n', replace: '' }],
  },
  {
    name: 'keeps-what-an-exit-opened', from: 45, row: 10, says: 'what an exit opened after a close by hand is kept', rules: ['opposite', 'not-said'],
    changes: [{ file: progress, find: "  state.apart = why === 'exit-filled' ? withinTarget(apart, target) : apart\n", replace: '  state.apart = apart\n' }],
  },
  {
    name: 'cancels-to-shrink', from: 38, row: 11, says: 'a stop is canceled and placed anew instead of changed', rules: ['bare'],
    changes: [{ file: 'shared/copier/exits.ts', find: '      // Of a trailing stop the broker changes the quantity only.\n', replace: '      if (leg.qty > qty) {\n        cancel(leg)\n        continue\n      }\n' }],
  },
  {
    name: 'never-says-when', from: 10, row: 12, says: 'a row that waits after a 429 does not say until when', rules: ['not-said'],
    changes: [{ file: live, find: '    retryAt: retryAtOf(state, now),\n', replace: '    retryAt: retryAtOf(state, now) === null ? null : null,\n' }],
  },
  {
    name: 'hedges-inverted', from: 11, row: 5, says: 'a follower that trades the other side is looked at for no hedge at all', rules: ['hedge'],
    changes: [{ file: followers, find: '  account === follower.account || (account === group.settings.leader', replace: '  follower.rule.invert || account === follower.account || (account === group.settings.leader' }],
  },
  {
    name: 'leaves-unnamed', from: 155, row: 9, says: 'exits that work on are not all named', rules: ['not-said'],
    changes: [{ file: live, find: 'left: leftExitsOf(world, group).map(', replace: 'left: leftExitsOf(world, group).slice(1).map(' }],
  },
  {
    name: 'goes-before-its-replacement', from: 10_207, row: 6, says: 'a stop goes while the pair that replaces it waits', rules: ['bare'],
    changes: [{ file: 'shared/copier/exits.ts', find: '=== true ? grows : slot.qty', replace: '=== true ? free : qty' }],
  },
  {
    name: 'follows-the-turn', from: 10_820, row: 3, says: "what a hand closed after the leader's turn is opened on the other side", rules: ['doubled', 'hands-off'],
    changes: [{ file: followers, find: '  if (grows && lastManualClose.time > 0 && !isFresh())', replace: '  if (grows && lastManualClose.time < 0 && !isFresh())' }],
  },
  {
    name: 'loses-the-day', from: 40, row: 12, says: 'the loss of a day locks nobody', rules: ['guard'],
    changes: [{ file: 'electron/backend/copier/engine/day-watch.ts', find: 'unchanged && net !== null ? reachedBy(follower, net, now) : null', replace: 'unchanged && net === null ? reachedBy(follower, net, now) : null' }],
  },
  {
    name: 'closes-what-hands-lost', from: 40, row: 12, says: 'what the user alone lost is closed by the copier', rules: ['guard', 'hands-off'],
    changes: [{ file: 'electron/backend/copier/engine/day-watch.ts', find: '(reached !== null && holdsNothing(world, account))', replace: '(reached !== null && false)' }],
  },
  {
    name: 'opens-when-locked', from: 114, row: 12, says: 'a follower that has lost its day goes on copying', rules: ['guard'],
    changes: [{ file: followers, find: '  if (follower.lock !== null || account.restricted', replace: '  if (account.restricted' }],
  },
  {
    name: 'believes-old-prices', from: 613, row: 12, says: 'a loss by prices of long ago locks', rules: ['guard'],
    changes: [{ file: 'electron/backend/copier/engine/day-watch.ts', find: 'now - openAt <= freshMs', replace: 'now - openAt >= 0' }],
  },
  {
    name: 'loses-half-a-frame', from: 223, row: 12, says: 'of a frame with an answer in it only the last positions and cash are heard', rules: ['guard', 'stuck', 'not-said'],
    changes: [{ file: 'electron/backend/brokers/tradovate/socket.ts', find: '    // Within one frame, rows before an answer happened before those after it.\n    emitDeferred()\n', replace: '' }],
  },
]

/** The fault of this name; null where none is wanted. */
export const plantOf = (name: string | null): Plant | null => {
  if (name === null || name === '') return null
  const found = plants.find((each) => each.name === name)
  if (found === undefined) throw new Error(`There is no planted fault ${name}`)
  return found
}
