/** How often something may be tried: `burst` at once, then one more every `refillMs`. */
export type Allowance = { readonly burst: number; readonly refillMs: number }

/** Counts attempts of each browser: by key, and over all its keys. */
export type Attempts = {
  /** Takes one attempt; 0 where it may go on, otherwise milliseconds until the next may. */
  readonly take: (browser: string, key: string) => number
  /** Forgets the attempts of a key, after one that went well. */
  readonly forgive: (browser: string, key: string) => void
}

type Bucket = { left: number; at: number }

const mostKeys = 1_000

/** An allowance for each key and one for all of a browser together, against guessing at one e-mail and at many. What one browser guesses holds up no other; `now` is UTC ms. */
export const createAttempts = (perKey: Allowance, perBrowser: Allowance, now: () => number): Attempts => {
  const refill = (bucket: Bucket, { burst, refillMs }: Allowance): Bucket => {
    // A clock that was set back must not lock anybody out until it has caught up.
    bucket.left = Math.min(burst, bucket.left + Math.max(0, now() - bucket.at) / refillMs)
    bucket.at = now()
    return bucket
  }
  const waitOf = (bucket: Bucket, { refillMs }: Allowance): number => (bucket.left >= 1 ? 0 : Math.ceil((1 - bucket.left) * refillMs))
  const createBuckets = (allowance: Allowance) => {
    const buckets = new Map<string, Bucket>()
    return {
      of: (name: string): Bucket => {
        if (buckets.size >= mostKeys) for (const [other, bucket] of buckets) if (refill(bucket, allowance).left >= allowance.burst) buckets.delete(other)
        const bucket = refill(buckets.get(name) ?? { left: allowance.burst, at: now() }, allowance)
        buckets.set(name, bucket)
        return bucket
      },
      forget: (name: string): void => void buckets.delete(name),
    }
  }
  const [ofKeys, ofBrowsers] = [createBuckets(perKey), createBuckets(perBrowser)]
  const nameOf = (browser: string, key: string): string => JSON.stringify([browser, key])

  return {
    take: (browser, key) => {
      const [one, all] = [ofKeys.of(nameOf(browser, key)), ofBrowsers.of(browser)]
      const wait = Math.max(waitOf(one, perKey), waitOf(all, perBrowser))
      if (wait > 0) return wait
      one.left -= 1
      all.left -= 1
      return 0
    },
    forgive: (browser, key) => ofKeys.forget(nameOf(browser, key)),
  }
}
