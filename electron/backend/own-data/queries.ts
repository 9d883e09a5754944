import { ok, type Result } from '#shared/base/result.ts'
import type { CommissionOf } from '#shared/api/own-data.ts'
import type { PointValue } from '#shared/market/contract-spec.ts'
import { changeCommission } from './commissions.ts'
import { changePointValue } from './point-values.ts'
import { atomically } from '../db/database.ts'
import type { At, OfUser } from '../db/rows.ts'
import { deriveStale } from '../fills/stale-batches.ts'
import type { Taking } from '../db/barrier.ts'

type Pairs = { readonly pairs: number }

const derived = async (taking: Taking, { userId, at }: OfUser & At): Promise<Pairs> => {
  const { pairs } = await deriveStale(taking, userId, at)
  return { pairs: pairs.added + pairs.changed + pairs.removed }
}

/** Keeps what a point of a product is worth, or takes it back with null, and derives again what it changes, in groups. Gives how many pairs came to something else. `too-precise` where a tick would have no exact worth. */
export const setPointValue = async (taking: Taking, input: OfUser & At & { readonly product: string; readonly pointValue: PointValue | null }): Promise<Result<Pairs, 'too-precise'>> => {
  const kept = atomically(taking.writer, () => changePointValue(taking.writer, input))
  return kept.ok ? ok(await derived(taking, input)) : kept
}

/**
 * Keeps a rate, or takes it back with null, and derives again what it changes, in groups: fills that tell their fee are
 * not touched. Gives how many pairs came to something else. `too-precise` where it is no whole 1/10,000.
 */
export const setCommission = async (taking: Taking, input: OfUser & At & { readonly of: CommissionOf; readonly product: string; readonly perSide: string | null }): Promise<Result<Pairs, 'not-found' | 'too-precise'>> => {
  const kept = atomically(taking.writer, () => changeCommission(taking.writer, input))
  return kept.ok ? ok(await derived(taking, input)) : kept
}
