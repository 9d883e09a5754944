const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u))

/** The only words allowed in a sentence with figures: they claim nothing themselves. */
export const connectingWords = words(`
  a an the this these that here there you your
  and while whereas also then
  in on at of for with during across
  is are was were has have had came comes stands stood
  see look note show shows showed recorded reported
  report period summary overview figure figures result results finding findings picture`)

// Words of quantity, frequency, rank, comparison, direction, time, certainty or negation.
const claiming = words(`
  zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
  twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion dozen dozens
  half halves quarter quarters third thirds fourth fifth fifths sixth seventh eighth ninth tenth first second last final once twice thrice double doubled doubles triple tripled single sole pair couple several
  both either neither all none no nothing nobody never always every everything everyone each any only few many much most mostly more less least enough plenty lots majority minority rest remainder entire entirely whole wholly complete completely total totals totally sum sums
  percent percentage pct fraction portion share rate rates ratio average averages averaged averaging mean median typical typically usual usually often rarely seldom frequently constantly hardly barely scarcely nearly almost
  best worst better worse top bottom peak record maximum minimum max min main biggest leading outperformed underperformed beat beats beaten favorite favourite extreme extremely
  made make makes making earn earns earned earning gain gains gained gaining win wins won winning winner winners winless lose loses lost losing loss losses loser losers lossless profit profits profitable profitably profited unprofitable profitless
  cost costs costly up down upside downside rise rises rose rising risen fall falls fell falling fallen drop drops dropped climb climbs climbed surge surged soared plunged slump slumped sank grew grow grows growing growth shrank shrink shrinks improve improves improved improving improvement decline declines declined declining deteriorate deteriorated increase increases increased decrease decreases decreased
  gave give giving recouped recover recovers recovered recovery broke breakeven red green black positive negative plus minus ahead behind above below over under beyond drawdown drawdowns streak streaks run runs expensive cheap
  money cash dollar dollars euro euros pound pounds cent cents bucks grand tick ticks point points figured fortune
  monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays weekend weekends mon tue tues wed thu thur thurs fri sat sun weekday
  january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  morning mornings afternoon afternoons evening evenings night nights overnight noon midday midnight lunch lunchtime dawn am pm today yesterday tomorrow daily weekly monthly yearly annual annually hourly premarket
  long longs short shorts buy buys buying bought sell sells selling sold
  gold silver oil crude gas nasdaq dow russell bitcoin micros minis
  not cannot nor without if unless except instead would imagine imagined suppose supposedly supposed hypothetical hypothetically pretend allegedly wrong false untrue lie lies lied fake fictional invented opposite contrary joke joking kidding nonsense
  evident evidently significant significantly significance proven proved proof certain certainly definitely sure surely undoubtedly confirmed chance likely unlikely probably probability random luck lucky unlucky`)

// Words that end like comparatives or superlatives but are not.
const notCompared = words(`
  another closer further trader traders broker brokers order orders other others number numbers whether however ever after rather together remember remembers consider considers matter matters answer answers paper power user users leader leaders follower followers letter letters chapter chapters computer per her newer folder offer offers differ differs refer refers prefer enter enters exiter scalper manager water paper character corner counter discover deliver enter filter gather header layer layers member members owner partner player register river shoulder summer winter suffer tender transfer trigger triggers writer
  test tests interest interests suggest suggests request requests honest invest west forest harvest manifest guest quest protest contest arrest digest modest`)

const comparative = /^[a-z]{2,}(?:er|est)$/u
const odd = /[^A-Za-z\s.,;:!?()'"’‘“”\-–—&]/u

/** Whether a word or sign is forbidden in a sentence with figures. */
export const isForbiddenBesideFigures = (token: string): boolean => (/^[A-Za-z]/u.test(token) ? !connectingWords.has(token.toLowerCase()) : !/^[\s.,;:]+$/u.test(token))

/** Whether a word or sign claims what only a reference may: a quantity, comparison, direction, name or negation. `own` holds the report's own names in lower case. */
export const isClaim = (token: string, own: ReadonlySet<string>): boolean => {
  const word = token.toLowerCase().replaceAll('’', "'").replace(/'s?$/u, '')
  // `May` is a month, `may` is not.
  if (odd.test(token) || token === 'May' || claiming.has(word) || own.has(word) || word.endsWith("n't")) return true
  // `MES`, `Account B`, `B`; but `P&L`.
  if (/^(?:[A-Z]{2,}s?|[B-HJKM-OQ-Z])$/u.test(token) || token.includes(' ')) return true
  return comparative.test(word) && !notCompared.has(word)
}

/** Splits a text into words, numbers, pseudonyms such as `Account A`, signs and spaces. */
export const tokensOf = (text: string): readonly string[] => text.match(/[Aa]ccounts? (?:[A-Za-z]|[A-Z]{2})(?![A-Za-z])|[A-Za-z]+(?:['’][A-Za-z]+)*|\d(?:[\d.,:]*\d)?|\s+|[^]/gu) ?? []
