/** How often something may be tried: `burst` at once, then one more every `refillMs`. */
export type Allowance = { readonly burst: number; readonly refillMs: number }

/** Counts attempts by key and over all keys. */
export type Attempts = {
  /** Takes one attempt; 0 where it may go on, otherwise milliseconds until the next may. */
  readonly take: (key: string) => number
  /** Forgets the attempts of a key, after one that went well. */
  readonly forgive: (key: string) => void
}

type Bucket = { left: number; at: number }

const mostKeys = 1_000

/** An allowance for each key and one for all together, against guessing at one e-mail and at many; `now` is UTC ms. */
export const createAttempts = (perKey: Allowance, overall: Allowance, now: () => number): Attempts => {
  const buckets = new Map<string, Bucket>()
  const all: Bucket = { left: overall.burst, at: now() }

  const refill = (bucket: Bucket, { burst, refillMs }: Allowance): Bucket => {
    // A clock that was set back must not lock anybody out until it has caught up.
    bucket.left = Math.min(burst, bucket.left + Math.max(0, now() - bucket.at) / refillMs)
    bucket.at = now()
    return bucket
  }
  const waitOf = (bucket: Bucket, { refillMs }: Allowance): number => (bucket.left >= 1 ? 0 : Math.ceil((1 - bucket.left) * refillMs))
  const dropFull = (): void => {
    for (const [key, bucket] of buckets) if (refill(bucket, perKey).left >= perKey.burst) buckets.delete(key)
  }

  return {
    take: (key) => {
      if (buckets.size >= mostKeys) dropFull()
      const own = refill(buckets.get(key) ?? { left: perKey.burst, at: now() }, perKey)
      const wait = Math.max(waitOf(own, perKey), waitOf(refill(all, overall), overall))
      if (wait > 0) return wait
      own.left -= 1
      all.left -= 1
      buckets.set(key, own)
      return 0
    },
    forgive: (key) => void buckets.delete(key),
  }
}
