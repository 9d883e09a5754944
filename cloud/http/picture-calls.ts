import { createHash } from 'node:crypto'
import express from 'express'
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'
import { largestPicture, picturePath } from '#shared/api/pictures.ts'
import { pictureName, pictureNameOf, pictureTypeOf } from '#shared/mirror/picture.ts'
import type { Pictures } from '../store/pictures.ts'
import { callerOf } from './caller.ts'
import { refuse } from './refuse.ts'

// Untrusted bytes: a browser must treat them as a picture and run nothing.
const harmless = { 'Content-Security-Policy': "default-src 'none'; sandbox", 'X-Content-Type-Options': 'nosniff', 'Content-Disposition': 'inline' }

/** Mounts the pictures on Express: each user uploads and downloads their own, and a name is accepted only if it follows from the bytes. */
export const mountPictures = (app: Express, pictures: Pictures): void => {
  const enter: RequestHandler = (request, response, next) => {
    const caller = callerOf(response)
    if (!caller.ok) return refuse(response, { code: caller.error })
    const { userId } = caller.value
    if (request.query['userId'] !== undefined && request.query['userId'] !== userId) return refuse(response, { code: 'not-this-user' })
    const name = pictureName.safeParse(request.query['name'])
    if (!name.success) return refuse(response, { code: 'invalid-request', fields: [{ path: 'name', message: 'SHA-256 and ending' }] })
    Object.assign(response.locals, { userId, name: name.data } satisfies Entered)
    next()
  }

  const take = async (request: Request, response: Response): Promise<void> => {
    const { userId, name } = response.locals as Entered
    const bytes: unknown = request.body
    const type = bytes instanceof Uint8Array ? pictureTypeOf(bytes) : null
    if (!(bytes instanceof Uint8Array) || type === null) return refuse(response, { code: 'picture-unreadable' })
    if (pictureNameOf(type, createHash('sha256').update(bytes).digest('hex')) !== name) return refuse(response, { code: 'invalid-request', fields: [{ path: 'name', message: 'SHA-256 of the bytes' }] })
    await pictures.put(userId, { name, type, bytes })
    response.json({ success: true })
  }

  const give = async (_request: Request, response: Response): Promise<void> => {
    const { userId, name } = response.locals as Entered
    const picture = await pictures.get(userId, name)
    if (picture === null) return refuse(response, { code: 'not-found' })
    response.set({ ...harmless, 'Cache-Control': 'no-store', 'Content-Type': picture.type }).send(Buffer.from(picture.bytes))
  }

  app.post(picturePath, enter, express.raw({ type: () => true, limit: largestPicture }), take, tooLarge)
  app.get(picturePath, enter, give)
}

type Entered = { readonly userId: string; readonly name: string }

const tooLarge: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (typeof error === 'object' && error !== null && 'type' in error && error.type === 'entity.too.large') refuse(response, { code: 'picture-too-large' })
  else next(error)
}
