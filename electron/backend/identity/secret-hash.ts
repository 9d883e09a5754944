import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** The scrypt cost: 128 × N × r bytes of memory; time grows with p. */
export type HashCost = { readonly N: number; readonly r: number; readonly p: number }

/** 32 MB and about a fifth of a second: expensive for guessing, acceptable for a sign-in. */
export const standardCost: HashCost = { N: 2 ** 15, r: 8, p: 3 }

/** For codes of 100 random bits, which cannot be guessed at any cost: 4 MB and a few milliseconds. */
export const recoveryCodeCost: HashCost = { N: 2 ** 12, r: 8, p: 1 }

const keyLength = 32
const format = /^scrypt\$(\d{1,9})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/

const derive = (secret: string, salt: Buffer, { N, r, p }: HashCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Unicode can encode the same character as one code point or as two.
    scrypt(secret.normalize('NFKC'), salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })

/** Hashes a secret. The hash contains its salt and cost, so that the default cost can rise without invalidating old hashes. */
export const hashSecret = async (secret: string, cost: HashCost = standardCost): Promise<string> => {
  const salt = randomBytes(16)
  return encode(cost, salt, await derive(secret, salt, cost))
}

/** A hash that no secret matches; checking against it takes as long as a real check. */
export const unmatchableHash = (cost: HashCost = standardCost): string => encode(cost, randomBytes(16), randomBytes(keyLength))

const encode = ({ N, r, p }: HashCost, salt: Buffer, key: Buffer): string => ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')

/** Whether the secret matches the hash, compared in constant time. */
export const isSecret = async (secret: string, hash: string): Promise<boolean> => {
  const [, N, r, p, salt, key] = format.exec(hash) ?? []
  if (salt === undefined || key === undefined) return false
  const wanted = Buffer.from(key, 'base64url')
  const got = await derive(secret, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return wanted.length === got.length && timingSafeEqual(wanted, got)
}
