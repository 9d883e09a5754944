import express from 'express'
import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express'
import { largestPicture, picturePath } from '#shared/api/pictures.ts'
import { pictureName } from '#shared/mirror/picture.ts'
import type { TradePictures } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { callerOf, type Admission } from '../http/mount.ts'
import { sendProblem } from '../http/problem.ts'

/** Uploads and downloads of the signed-in user's pictures as raw bytes, outside the JSON contract. */
export const mountPictures = (app: Express, pictures: TradePictures, admission: Admission<Browser, Caller>): void => {
  const enter: RequestHandler = async (request, response, next) => {
    const caller = await callerOf(admission, request, response)
    if (!caller.ok) return sendProblem(response, caller.error)
    response.locals['userId'] = caller.value.userId
    next()
  }
  // Its own bytes determine its type; the sender's header is ignored.
  const body = express.raw({ type: () => true, limit: largestPicture, inflate: false })

  const take: RequestHandler = async (request, response) => {
    const content: unknown = request.body
    const added = await pictures.add(userOf(response), content instanceof Uint8Array ? content : new Uint8Array())
    if (!added.ok) return sendProblem(response, added.error)
    response.json({ success: true, name: added.value.name })
  }
  const give: RequestHandler = async (request, response) => {
    const name = pictureName.safeParse(request.query['name'])
    if (!name.success) return sendProblem(response, { code: 'invalid-request', fields: [{ path: 'name', message: 'no name of a picture' }] })
    const found = await pictures.read(userOf(response), name.data)
    if (!found.ok) return sendProblem(response, found.error)
    response.set({
      'Content-Type': found.value.type,
      // Opened directly, it is a document of this origin: it must not run anything.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // A browser cache would show it without the key, and after the account is gone.
      'Cache-Control': 'no-store',
    })
    response.send(found.value.content)
  }
  app.post(picturePath, enter, body, take, unreadable)
  app.get(picturePath, enter, give)
}

const userOf = (response: Response): string => response.locals['userId'] as string

const unreadable: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
  if (typeof type !== 'string' || response.headersSent) return next(error)
  sendProblem(response, { code: type === 'entity.too.large' ? 'picture-too-large' : 'picture-unreadable' })
}
