import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** What guessing costs: memory is 128 × N × r bytes, time grows with p. */
export type HashCost = { readonly N: number; readonly r: number; readonly p: number }

/** 32 MB and about a fifth of a second: dear for guessing, bearable for a sign-in. */
export const standardCost: HashCost = { N: 2 ** 15, r: 8, p: 3 }

/** For codes of 100 random bits, which nobody guesses at whatever cost: 4 MB and a few milliseconds. */
export const costOfCode: HashCost = { N: 2 ** 12, r: 8, p: 1 }

const keyLength = 32
const shape = /^scrypt\$(\d{1,9})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/

const derive = (secret: string, salt: Buffer, { N, r, p }: HashCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same sign can be typed as one code point or as two.
    scrypt(secret.normalize('NFKC'), salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })

/** A hash with its own salt and cost in it, so that the cost can rise without locking anybody out. */
export const hashSecret = async (secret: string, cost: HashCost = standardCost): Promise<string> => {
  const salt = randomBytes(16)
  return written(cost, salt, await derive(secret, salt, cost))
}

/** A hash of no secret: checking one against it costs what this cost says, and never holds. */
export const hashOfNobody = (cost: HashCost = standardCost): string => written(cost, randomBytes(16), randomBytes(keyLength))

const written = ({ N, r, p }: HashCost, salt: Buffer, key: Buffer): string => ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')

/** Whether the secret is the one that was hashed; takes the same time wherever they differ. */
export const isSecret = async (secret: string, hash: string): Promise<boolean> => {
  const [, N, r, p, salt, key] = shape.exec(hash) ?? []
  if (salt === undefined || key === undefined) return false
  const wanted = Buffer.from(key, 'base64url')
  const got = await derive(secret, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return wanted.length === got.length && timingSafeEqual(wanted, got)
}
