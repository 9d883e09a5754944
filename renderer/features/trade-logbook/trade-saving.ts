import { ApiFailure, callApi, callApiKept } from '#renderer/lib/api.ts'
import { drawnFor } from '#renderer/lib/browser-key.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { forgetForOthers } from '#renderer/lib/of-user.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { unsentPlace } from '#renderer/lib/unsent-place.ts'
import { unsentPrefix } from '#renderer/lib/unsent-prefix.ts'
import { journalRoutes, logbookRoutes, type SeenPair } from '#shared/api/journal.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { useEffect, useMemo, useState } from 'react'
import { create } from 'zustand'
import type { TradeDraft } from './draft.ts'
import { showEdits, type Edit } from './local-changes.ts'
import {
  beginEditing, blockedBy, canUndo, changedTo, confirmed, decided, journalDraft, noteSent, outgoing, plainNumber, shownEdits, undone, unsentUnits, withJournal, withTypedTag,
  type EditedPairs, type Editing, type FieldGroup,
} from './trade-editing.ts'

/** A form with unsaved changes, as it is stored. */
type Unsent = { readonly userId: string; readonly id: string; readonly editing: Editing }

const unsent = unsentPlace<Unsent>(unsentPrefix)

/** The form of one trade, and the state of its saving. */
export type Form = {
  readonly userId: string
  /** The trade, or the fill pair, that is edited. */
  readonly id: string
  readonly editing: Editing
  readonly phase: 'still' | 'waiting' | 'saving'
  /** The last save's failure; null for none. */
  readonly failure: unknown
  /** Whether something was saved since it was opened. */
  readonly saved: boolean
  readonly open: boolean
}

// Long enough to type a word, too short to wait for.
const pauseMs = 800
// Half of a price is another price: figures are saved when the focus leaves their field, or after this time.
const factsPauseMs = 60_000
const firstRetryMs = 2_000
const longestRetryMs = 30_000

/** A fill pair that was gone when its notes were sent, with the pair that shows them now; null if none does. */
export type MovedNotes = AnswerOf<typeof logbookRoutes.savePairs>['kept'][number]

/** The work on a form: its timer, its retries, its running call, and what to run after that. */
type SaveQueue = { timer: ReturnType<typeof setTimeout> | null; retries: number; busy: Promise<void> | null; again: 'save' | 'read' | null }

/** The forms of this page, including closed ones until everything in them is saved. */
export const useForms = create<{ readonly forms: ReadonlyMap<string, Form> }>(() => ({ forms: new Map() }))

const queues = new Map<string, SaveQueue>()
let user: string | null = null
let onSaved: (pairs: readonly FillPairRecord[], kept: readonly MovedNotes[]) => Promise<void> = () => Promise.resolve()

/** The key of a form: two users of one browser may have trades with the same id. */
export const formKey = (userId: string, id: string): string => `${userId} ${id}`

const formOf = (key: string): Form | undefined => useForms.getState().forms.get(key)

const queueOf = (key: string): SaveQueue => {
  const queue = queues.get(key) ?? { timer: null, retries: 0, busy: null, again: null }
  queues.set(key, queue)
  return queue
}

const updateForm = (key: string, change: Partial<Form>): void => {
  const known = formOf(key)
  if (known === undefined) return
  useForms.setState(({ forms }) => ({ forms: new Map(forms).set(key, { ...known, ...change }) }))
}

const isUnsent = ({ editing }: Form): boolean => editing.draft.own.tags.typed.trim() !== '' || unsentUnits(editing).length > 0

const remember = (): void => {
  unsent.keep([...useForms.getState().forms.values()].filter(isUnsent).map(({ userId, id, editing }) => ({ userId, id, editing })))
}

forgetForOthers(({ userId, replaced }) => {
  if (!replaced) return
  const { forms } = useForms.getState()
  for (const [key, form] of forms) if (form.userId === userId) clearTimeout(queues.get(key)?.timer ?? undefined)
  useForms.setState({ forms: new Map([...forms].filter(([, form]) => form.userId !== userId)) })
  if (user === userId) user = null
  remember()
})

/** Shows unsaved changes in the logbook's rows. */
const showInRows = (key: string): void => {
  const form = formOf(key)
  if (form === undefined) return
  const { editing, failure, open } = form
  const isLeftBlocked = !open && blockedBy(editing) !== null
  const edits = new Map<string, Edit>()
  const [first] = editing.pairs
  const tradeIdOf = (id: string): string => editing.pairs.find((pair) => pair.id === id)?.tradeId ?? id
  const out = outgoing(editing)
  if (out !== null) for (const [id, shown] of shownEdits(editing, out.edits)) edits.set(id, { shown, failed: failure !== null || isLeftBlocked, tradeId: tradeIdOf(id) })
  else if (isLeftBlocked && first !== undefined) edits.set(first.id, { shown: {}, failed: true, tradeId: tradeIdOf(first.id) })
  showEdits(editing.pairs.map(({ id }) => id), edits)
}

const isWorthRetry = (failure: unknown): boolean => !(failure instanceof ApiFailure) || failure.status === 0 || failure.status >= 500

const saveAfter = (key: string, ms: number): void => {
  const queue = queueOf(key)
  if (queue.timer !== null) clearTimeout(queue.timer)
  queue.timer = setTimeout(() => {
    queue.timer = null
    void save(key)
  }, ms)
}

/** Runs one call at a time for each form: what is read during a save could be older than its answer. */
const runAlone = (key: string, what: 'save' | 'read', run: () => Promise<void>): Promise<void> => {
  const queue = queueOf(key)
  if (queue.busy !== null) {
    queue.again = queue.again === 'save' ? 'save' : what
    // A failed read says nothing about the save that follows.
    return queue.busy.catch(() => undefined).then(() => queueOf(key).busy ?? undefined)
  }
  queue.busy = run().finally(() => {
    queue.busy = null
    const { again } = queue
    queue.again = null
    if (again === 'save') void save(key)
    else if (again === 'read') void readAgain(key)
  })
  return queue.busy
}

// The next user may sign in before the previous user's forms are closed, and may have a trade with the same id.
const isOfThisUser = (userId: string): boolean => userId === user && userId === drawnFor()

/** What the journal needs to find the fill pair that replaced a broker's one. */
const seenOf = (pair: FillPairRecord | undefined): { seen?: SeenPair } => {
  if (pair?.origin !== 'synced') return {}
  const { accountId, symbol, side, qty, date, tradingDay, entryTime, exitTime, entryPrice, exitPrice } = pair
  return { seen: { accountId, symbol, side, qty, date, tradingDay, entryTime, exitTime, entryPrice, exitPrice } }
}

/** Sends what can be sent of a form. */
const send = async (key: string): Promise<void> => {
  const form = formOf(key)
  const queue = queueOf(key)
  if (form === undefined || !isOfThisUser(form.userId)) return
  if (queue.timer !== null) clearTimeout(queue.timer)
  queue.timer = null
  const sent = outgoing(form.editing)
  if (sent === null) {
    updateForm(key, { phase: 'still', failure: null })
    remember()
    showInRows(key)
    return
  }
  updateForm(key, { editing: noteSent(form.editing, sent), phase: 'saving' })
  remember()
  showInRows(key)
  try {
    const pairOf = (id: string): FillPairRecord | undefined => form.editing.pairs.find((pair) => pair.id === id)
    const edits = sent.edits.map(({ id, updates, base }) => ({ id, updates, base: base as Record<string, never>, ...seenOf(pairOf(id)) }))
    const { pairs, conflicts, kept } = await callApiKept(logbookRoutes.savePairs, { body: { edits } })
    const now = formOf(key)
    if (now === undefined) return
    queue.retries = 0
    // If a fill pair is gone, the journal has what was sent on the pair that replaced it.
    const asSent = sent.edits.flatMap(({ id, updates }) => (kept.some((one) => one.id === id) ? [{ ...pairOf(id), ...updates } as FillPairRecord] : []))
    updateForm(key, { editing: confirmed(now.editing, sent, [...pairs, ...asSent], conflicts), failure: null, saved: true, phase: isWaiting(key) ? 'waiting' : 'still' })
    remember()
    await onSaved(pairs, kept).catch(() => undefined)
    showInRows(key)
    const after = formOf(key)
    if (after !== undefined && !isWaiting(key) && outgoing(after.editing) !== null) saveAfter(key, 0)
  } catch (failure) {
    logFailure(logbookRoutes.savePairs.failure, failure)
    updateForm(key, { failure, phase: 'still' })
    showInRows(key)
    if (!isWorthRetry(failure)) return
    saveAfter(key, Math.min(firstRetryMs * 2 ** queue.retries, longestRetryMs))
    queue.retries += 1
  }
}

/** Sends what can be sent of a form, once no call of it is running. */
const save = (key: string): Promise<void> => runAlone(key, 'save', () => send(key))

const isWaiting = (key: string): boolean => queueOf(key).timer !== null

const readAgain = (key: string): Promise<void> =>
  runAlone(key, 'read', async () => {
    const form = formOf(key)
    const [first] = form?.editing.pairs ?? []
    if (form === undefined || first === undefined || !isOfThisUser(form.userId)) return
    const pairs = form.editing.whole
      ? (await callApi(journalRoutes.tradePairs, { query: { tradeId: form.id } })).rows
      : [(await callApi(journalRoutes.recordById, { query: { id: first.id } })).pair].filter((pair) => pair !== null)
    const now = formOf(key)
    if (now === undefined) return
    updateForm(key, { editing: withJournal(now.editing, pairs) })
    remember()
  }).catch(() => undefined)

/** Sets the signed-in user, and a callback for saved fill pairs; takes over the forms that closed pages of this user left unsaved. */
export const startSaving = (userId: string, saved?: typeof onSaved): void => {
  if (saved !== undefined) onSaved = saved
  if (user === userId) return
  user = userId
  for (const [key, form] of useForms.getState().forms) if (form.userId === userId && isUnsent(form)) void save(key)
  unsent.keptElsewhere(takeOver)
}

/** Continues a form that a closed page left; false for another user's, or if this page has an unsaved one of the same trade. */
const takeOver = ({ userId, id, editing }: Unsent): boolean => {
  if (userId !== user) return false
  const key = formKey(userId, id)
  const known = formOf(key)
  if (known !== undefined && isUnsent(known)) return false
  useForms.setState(({ forms }) => ({ forms: new Map(forms).set(key, { userId, id, editing: withTypedTag(editing), phase: 'still', failure: null, saved: false, open: known?.open ?? false }) }))
  void readAgain(key).then(() => save(key))
  return true
}

/** Opens the form of a trade: with its unsaved changes if it has any, otherwise as the journal has it. */
export const openForm = (userId: string, id: string, given: EditedPairs): void => {
  const key = formKey(userId, id)
  const known = formOf(key)
  const editing = known !== undefined && isUnsent(known) ? { ...known.editing, opened: journalDraft(known.editing) } : beginEditing(given)
  useForms.setState(({ forms }) => ({ forms: new Map(forms).set(key, { userId, id, editing, phase: known?.phase ?? 'still', failure: known?.failure ?? null, saved: false, open: true }) }))
}

/** The actions of a form. */
export const formActions = (key: string) => {
  const edit = (change: (editing: Editing) => Editing, ms: number): void => {
    const form = formOf(key)
    if (form === undefined) return
    updateForm(key, { editing: change(form.editing), phase: 'waiting' })
    saveAfter(key, form.open ? ms : 0)
    rememberSoon()
  }
  const settle = (): void => {
    const form = formOf(key)
    if (form === undefined) return
    updateForm(key, { editing: withTypedTag(form.editing) })
    void save(key)
  }
  return {
    /** Changes the form; it is saved once nobody has typed for a moment. */
    change: (how: (draft: TradeDraft) => TradeDraft) => {
      const draft = formOf(key)?.editing.draft
      const isOfFacts = draft !== undefined && how(draft).facts !== draft.facts
      edit((editing) => changedTo(editing, how(editing.draft)), isOfFacts ? factsPauseMs : pauseMs)
    },
    decide: (unit: FieldGroup, choice: 'mine' | 'theirs') => { edit((editing) => decided(editing, unit, choice), 0) },
    allowStop: (stop: string) => { edit((editing) => ({ ...editing, allowedStop: plainNumber(stop) }), 0) },
    undo: () => { edit(undone, 0) },
    /** Call it when the focus leaves a field: saves what was typed. */
    saveSoon: () => {
      if (isWaiting(key)) saveAfter(key, 0)
    },
    /** Saves at once, with the tag that is being typed. */
    settle,
    /** Saves at once; false if something cannot be saved, and the dialog then stays. */
    keep: () => {
      settle()
      const form = formOf(key)
      return form === undefined || blockedBy(form.editing) === null
    },
    /** Waits until the form is saved; false if something was not. */
    whenSaved: async () => {
      await save(key)
      const form = formOf(key)
      return form === undefined || (form.failure === null && !isUnsent(form))
    },
    isChanged: () => {
      const form = formOf(key)
      return form !== undefined && canUndo(form.editing)
    },
    enter: () => {
      updateForm(key, { open: true })
      void readAgain(key)
    },
    leave: () => {
      updateForm(key, { open: false })
      settle()
    },
    readAgain: () => void readAgain(key),
  }
}

/** The form of a trade and its actions. */
export type TradeForm = Form & ReturnType<typeof formActions>

/** Opens the form of a trade, which saves itself and merges what others write, until its dialog is gone. */
export const useTradeForm = (id: string, given: EditedPairs): TradeForm => {
  // Another user may sign in in another tab before this dialog is gone.
  const [userId] = useState(useUserId())
  const key = formKey(userId, id)
  useState(() => {
    // The page may have begun with this trade, without the logbook.
    startSaving(userId)
    openForm(userId, id, given)
  })
  const form = useForms(({ forms }) => forms.get(key))
  const actions = useMemo(() => formActions(key), [key])
  useEffect(() => {
    actions.enter()
    return actions.leave
  }, [actions])
  usePushed('journal-changed', actions.readAgain)
  if (form === undefined) throw new Error('The form of an open trade is gone')
  return { ...form, ...actions }
}

let rememberTimer: ReturnType<typeof setTimeout> | null = null
const rememberSoon = (): void => {
  rememberTimer ??= setTimeout(() => {
    rememberTimer = null
    remember()
  }, 200)
}

/** Saves the changes of these fill pairs, and waits until they are saved or cannot be. */
export const saveNow = async (ids: readonly string[]): Promise<void> => {
  const forms = [...useForms.getState().forms].filter(([, form]) => form.editing.pairs.some(({ id }) => ids.includes(id)) && isUnsent(form))
  await Promise.all(forms.map(([key]) => save(key)))
}

const saveAll = (how: (key: string) => Promise<void> = save): void => {
  for (const [key, form] of useForms.getState().forms) {
    if (!isUnsent(form)) continue
    updateForm(key, { editing: withTypedTag(form.editing) })
    void how(key)
  }
}

// The page may be closed without another event: unsaved changes are stored, and sent now, even beside a running call.
addEventListener('pagehide', () => {
  saveAll((key) => (queueOf(key).busy === null ? save(key) : send(key)))
  remember()
})
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') saveAll()
})
addEventListener('online', () => { saveAll() })
