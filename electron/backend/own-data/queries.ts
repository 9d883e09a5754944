import { ok, type Result } from '#shared/base/result.ts'
import type { CommissionOf } from '#shared/api/own-data.ts'
import type { PointValue } from '#shared/market/contract-spec.ts'
import { changeCommission } from './commissions.ts'
import { changePointValue } from './point-values.ts'
import { atomically } from '../db/database.ts'
import type { At, OfUser } from '../db/rows.ts'
import { deriveStale } from '../fills/stale-batches.ts'
import type { WriteContext } from '../db/barrier.ts'

type Pairs = { readonly pairs: number }

const derived = async (context: WriteContext, { userId, at }: OfUser & At): Promise<Pairs> => {
  const { pairs } = await deriveStale(context, userId, at)
  return { pairs: pairs.added + pairs.changed + pairs.removed }
}

/**
 * Sets a product's point value, or resets it with null, and derives the affected trades again, in groups. Returns the
 * number of changed pairs. `too-precise` if a tick would have no exact value.
 */
export const setPointValue = async (context: WriteContext, input: OfUser & At & { readonly product: string; readonly pointValue: PointValue | null }): Promise<Result<Pairs, 'too-precise'>> => {
  const kept = atomically(context.writer, () => changePointValue(context.writer, input))
  return kept.ok ? ok(await derived(context, input)) : kept
}

/**
 * Sets a rate, or resets it with null, and derives the affected trades again, in groups; fills with a fee of their own
 * are not affected. Returns the number of changed pairs. `too-precise` if it is not a whole 1/10,000.
 */
export const setCommission = async (context: WriteContext, input: OfUser & At & { readonly of: CommissionOf; readonly product: string; readonly perSide: string | null }): Promise<Result<Pairs, 'not-found' | 'too-precise'>> => {
  const kept = atomically(context.writer, () => changeCommission(context.writer, input))
  return kept.ok ? ok(await derived(context, input)) : kept
}
