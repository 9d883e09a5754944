import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** What guessing costs: memory is 128 × N × r bytes, time grows with p. */
export type HashCost = { readonly N: number; readonly r: number; readonly p: number }

/** 32 MB and about a fifth of a second: dear for guessing, bearable for a sign-in. */
export const standardCost: HashCost = { N: 2 ** 15, r: 8, p: 3 }

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
  const key = await derive(secret, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether the secret is the one that was hashed; takes the same time wherever they differ. */
export const isSecret = async (secret: string, hash: string): Promise<boolean> => {
  const [, N, r, p, salt, key] = shape.exec(hash) ?? []
  if (salt === undefined || key === undefined) return false
  const wanted = Buffer.from(key, 'base64url')
  const got = await derive(secret, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return wanted.length === got.length && timingSafeEqual(wanted, got)
}
