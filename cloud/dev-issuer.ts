import { createHash, randomUUID } from 'node:crypto'
import express from 'express'
import type { Express } from 'express'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { refuse } from './http/refuse.ts'

/** Claims of the development issuer's tokens. */
export const developmentIssuer = { issuer: 'fillbook-development', audience: 'fillbook-cloud' } as const

const algorithm = 'ES256'
const lifeSeconds = 3_600
const loginRequest = z.object({ email: z.email().max(300), secret: z.string().max(255).optional() })

/**
 * Issues tokens for any email address to anyone who may ask, so that the cloud can be tried without an identity
 * provider. After deleting the account, the same email is a new user, as with a real provider.
 */
export type DevIssuer = {
  /** The public half of its key, which lives as long as the process. */
  readonly jwks: JSONWebKeySet
  /** `POST /dev/token {email}` and `/.well-known/jwks.json`. */
  readonly mount: (app: Express) => void
}

/**
 * Creates the issuer with a new key; requires `secret` if given. Throws in production mode. The subject of its tokens
 * follows from the email, so that a second computer gets the same user.
 */
export const createDevIssuer = async ({ mode, issuer, audience, secret, isDeleted }: {
  readonly mode: 'production' | 'development'
  readonly issuer: string
  readonly audience: string
  readonly secret: string | null
  readonly isDeleted: (userId: string) => Promise<boolean>
}): Promise<DevIssuer> => {
  if (mode === 'production') throw new Error('The development issuer does not run in production')
  const { publicKey, privateKey } = await generateKeyPair(algorithm)
  const kid = randomUUID()
  const jwks: JSONWebKeySet = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' }] }

  const userOf = async (email: string): Promise<string> => {
    for (let accountsBefore = 0; ; accountsBefore += 1) {
      const userId = subjectOf(email, accountsBefore)
      if (!(await isDeleted(userId))) return userId
    }
  }

  const issue = async (email: string): Promise<{ token: string; userId: string; expiresAt: string }> => {
    const userId = await userOf(email)
    const issuedAt = Math.floor(Date.now() / 1_000)
    const token = await new SignJWT()
      .setProtectedHeader({ alg: algorithm, kid })
      .setSubject(userId)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifeSeconds)
      .sign(privateKey)
    return { token, userId, expiresAt: new Date((issuedAt + lifeSeconds) * 1_000).toISOString() }
  }

  return {
    jwks,
    mount: (app) => {
      app.get('/.well-known/jwks.json', (_request, response) => void response.json(jwks))
      app.post('/dev/token', express.json({ limit: '10kb' }), async (request, response) => {
        const given = loginRequest.safeParse(request.body)
        if (!given.success) return refuse(response, { code: 'invalid-request', fields: [{ path: 'email', message: 'email' }] })
        if (secret !== null && given.data.secret !== secret) return refuse(response, { code: 'wrong-token' })
        response.json(await issue(given.data.email))
      })
    },
  }
}

const subjectOf = (email: string, accountsBefore: number): string => `dev-${createHash('sha256').update(`${email.trim().toLowerCase()}${accountsBefore === 0 ? '' : ` ${String(accountsBefore)}`}`).digest('hex').slice(0, 32)}`
