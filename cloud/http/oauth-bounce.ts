import { createHash } from 'node:crypto'
import type { Express, RequestHandler } from 'express'
import { z } from 'zod'

/** The redirect URL for a brokerage, from which the app on the user's computer continues. */
export const bouncePath = '/oauth/callback'

// A brokerage's answer; a code is far shorter than this, and needs only characters that a URL may contain unescaped.
const answer = z.string().min(1).max(4_000).regex(/^[\x21-\x7e]+$/).optional().catch(undefined)
const bounceQuery = z.object({ code: answer, state: answer, error: answer })

const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem }
h1 { font-size: 1.25rem }
a { display: inline-block; margin: 0.25rem 0; font-weight: 600 }`

// No script at all, and this one style.
const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/**
 * Redirects a browser that returns from a brokerage's consent to the app, which the system opens by its own scheme: a
 * cloud URL can be registered where a loopback URL cannot. Its parameters are only useful to the program that began the
 * consent, and are neither stored nor logged.
 */
export const mountOauthBounce = (app: Express, limit: RequestHandler): void => {
  app.get(bouncePath, limit, (request, response) => {
    const { code, state, error } = bounceQuery.parse(request.query)
    const known = Object.entries({ code, state, error }).filter((pair): pair is [string, string] => pair[1] !== undefined)
    const leads = (code !== undefined || error !== undefined) && state !== undefined
    response.status(leads ? 200 : 400).set('Content-Security-Policy', contentSecurityPolicy).type('html').send(leads ? goingOn(`fillbook:/${bouncePath}?${new URLSearchParams(known).toString()}`) : nothing)
  })
}

const page = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
${head}<style>${style}</style>
<main>
<h1>${title}</h1>
${body}
</main>
</html>
`

// The URL contains only what URLSearchParams leaves unescaped, separated by &, the only character with a meaning in HTML.
const goingOn = (address: string): string => {
  const href = address.replaceAll('&', '&amp;')
  return page(
    'Back to Fillbook',
    `<meta http-equiv="refresh" content="0; url=${href}">\n`,
    `<p>Your browser may ask whether to open Fillbook: allow it, and the connection is finished there.</p>
<p><a href="${href}">Open Fillbook</a></p>
<p>If nothing happens, start Fillbook on this computer and click again. Otherwise connect once more in the app.</p>
<p>You can close this window afterwards.</p>`,
  )
}

const nothing = page('Nothing to go on with', '', '<p>This address belongs to connecting a brokerage, and holds no answer of one. Connect once more in Fillbook.</p>')
