/** A token bucket: `burst` attempts at once, then one more every `refillMs`. */
export type Allowance = { readonly burst: number; readonly refillMs: number }

type Bucket = { left: number; at: number }

const maxKeys = 1_000

/** Limits the attempts of each key and each browser, so that neither guessing at one email nor at many pays. One browser's guesses never slow another browser. `now` is UTC ms. */
export const createRateLimiter = (perKey: Allowance, perBrowser: Allowance, now: () => number) => {
  const refill = (bucket: Bucket, { burst, refillMs }: Allowance): Bucket => {
    // If the clock is set back, nobody may be locked out until it catches up.
    bucket.left = Math.min(burst, bucket.left + Math.max(0, now() - bucket.at) / refillMs)
    bucket.at = now()
    return bucket
  }
  const waitOf = (bucket: Bucket, { refillMs }: Allowance): number => (bucket.left >= 1 ? 0 : Math.ceil((1 - bucket.left) * refillMs))
  const createBuckets = (allowance: Allowance) => {
    const buckets = new Map<string, Bucket>()
    return {
      of: (name: string): Bucket => {
        if (buckets.size >= maxKeys) for (const [other, bucket] of buckets) if (refill(bucket, allowance).left >= allowance.burst) buckets.delete(other)
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
    /** Takes one attempt. Returns 0 if it is allowed, otherwise the milliseconds to wait. */
    take: (browser: string, key: string): number => {
      const [one, all] = [ofKeys.of(nameOf(browser, key)), ofBrowsers.of(browser)]
      const wait = Math.max(waitOf(one, perKey), waitOf(all, perBrowser))
      if (wait > 0) return wait
      one.left -= 1
      all.left -= 1
      return 0
    },
    /** Clears a key's attempts after a success. */
    reset: (browser: string, key: string): void => ofKeys.forget(nameOf(browser, key)),
  }
}
