import type { Express, RequestHandler } from 'express'
import type { IdentityPort } from '../services/identity.ts'
import { intoHash } from './pages.ts'

/**
 * Where other providers and mailed links lead back to. A browser sends no cookie with such a request, since it comes from
 * elsewhere: what it brings is worth something only to the browser that began it.
 */
export const serveAuthReturns = (app: Express, { federatedReturned }: Pick<IdentityPort, 'federatedReturned'>): void => {
  app.get('/auth/email-link', intoHash('/auth/email-link'))
  app.get('/auth/google/return', (request, response) => {
    const { state, code } = request.query
    if (typeof state === 'string') federatedReturned({ state, code: typeof code === 'string' ? code : null })
    // The provider's page may have cut the tie to the window that opened it; ours lets it be closed all the same.
    response.set({ 'Cache-Control': 'no-store', 'Cross-Origin-Opener-Policy': 'unsafe-none' }).type('html').send(donePage)
  })
  app.get(closerPath, closer)
}

const closerPath = '/auth/close.js'

const closer: RequestHandler = (_request, response) => {
  response.set('Cache-Control', 'no-store').type('text/javascript').send('window.close()\n')
}

const donePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Fillbook: back from the sign-in</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem }
h1 { font-size: 1.25rem }
</style>
<main>
<h1>You can close this window</h1>
<p>Fillbook goes on in the window where you began.</p>
</main>
<script src="${closerPath}"></script>
</html>
`
