import type { Label, Mark, Noun } from './marks.ts'

const label = (value: Label): Mark => ({ is: 'label', label: value })
const noun = (value: Noun): Mark => ({ is: 'noun', noun: value })
const gain: Mark = { is: 'sign', sign: 1, of: 'money' }
const loss: Mark = { is: 'sign', sign: -1, of: 'money' }
const won: Mark = { is: 'sign', sign: 1, of: 'trades' }
const lost: Mark = { is: 'sign', sign: -1, of: 'trades' }
const good: Mark = { is: 'sign', sign: 1, of: 'any' }
const bad: Mark = { is: 'sign', sign: -1, of: 'any' }
const more = (than: boolean): Mark => ({ is: 'more', way: 1, than })
const less = (than: boolean): Mark => ({ is: 'more', way: -1, than })
const other: Mark = { is: 'other' }
const parts: Mark = { is: 'break', against: false }
const against: Mark = { is: 'break', against: true }
const plain: Mark = { is: 'word', between: false, known: true, text: '' }
const between: Mark = { is: 'word', between: true, known: true, text: '' }
const strange: Mark = { is: 'word', between: false, known: false, text: '' }
const poison = (text: string): Mark => ({ is: 'poison', text })
const kind = (...kinds: string[]): Mark => ({ is: 'name', name: { field: 'kind', value: kinds }, text: kinds.join(', ') })
const others = (of: 'weekday' | 'hour' | 'product' | 'account' | 'side'): Mark => ({ is: 'name', name: { field: 'others', value: of }, text: 'others' })
const span = (of: 'day' | 'week' | 'month'): Mark => ({ is: 'name', name: { field: 'span', value: of }, text: `the ${of}` })
const sum: Mark = { is: 'sum' }
const whole: Mark = { is: 'name', name: { field: 'whole', value: true }, text: 'overall' }

// Marks, and the words and phrases that stand for them; the longest phrase wins.
const table: readonly (readonly [marks: readonly Mark[], phrases: string])[] = [
  [[label('net')], 'net|net result|net profit and loss|after costs|after commission|after commissions|after fees'],
  [[label('net'), gain], 'net profit|net gain|net gains|net profits'],
  [[label('net'), loss], 'net loss|net losses'],
  [[label('gross')], 'gross|before costs|before commission|before commissions|before fees'],
  [[label('gross'), gain], 'gross profit|gross gain'],
  [[label('gross'), loss], 'gross loss'],
  [[label('commission')], 'commission|commissions|fee|fees|commission cost|commission costs|costs of trading|trading costs|costs|in costs'],
  [[label('average')], 'average|averaged|averages|averaging|avg|mean|on average|an average|expectancy|per trade|a trade|each trade|every trade|per trip|apiece'],
  [[label('average-win')], 'average win|average winner|average winning trade|avg win|average wins|average winners|mean win|per win|per winner|per winning trade|a win on average'],
  [[label('average-loss')], 'average loss|average loser|average losing trade|avg loss|average losses|average losers|mean loss|per loss|per loser|per losing trade'],
  [[label('largest-win')], 'largest win|largest winner|largest winning trade|biggest win|biggest winner|biggest winning trade|best trade|best win|largest gain|biggest gain'],
  [[label('largest-loss')], 'largest loss|largest loser|largest losing trade|biggest loss|biggest loser|biggest losing trade|worst trade|worst loss'],
  [[label('drawdown')], 'drawdown|max drawdown|maximum drawdown|deepest drawdown|largest drawdown|deepest fall'],
  [[label('gave-back'), loss], 'gave back|given back|give back|gives back|giving back|handed back|hand back|handing back'],
  [[label('excess')], 'excess|edge|advantage|outperformance|difference'],
  [[label('excess'), gain], 'outperformed|ahead of'],
  [[label('excess'), loss], 'underperformed|behind'],
  [[label('excess'), more(true)], 'more than|better than'],
  [[label('excess'), more(false)], 'more|better'],
  [[label('excess'), less(true)], 'less than|worse than|fewer than'],
  [[label('excess'), less(false)], 'less|worse|fewer'],
  [[label('interval')], 'interval|95 % interval|95 percent interval|95 % confidence interval|95 percent confidence interval|confidence interval|plausible range'],
  [[label('profit-factor')], 'profit factor'],
  [[label('win-rate')], 'win rate|winrate|hit rate|strike rate|winning percentage|rate of wins|share of wins|share of winners'],
  [[label('share')], 'share|portion|proportion'],
  [[label('chance')], 'chance|by chance|by chance alone|by luck|by luck alone|by pure chance|pure chance|luck|probability|likelihood|p value'],
  [[label('hold')], 'hold|holds|held|holding|hold time|holding time|hold times|time in the trade|time in trade|duration|lasted|kept'],
  [[label('size')], 'size|sizes|sized|position size|times the usual size|times your usual size|times the normal size|times your normal size'],
  [[label('streak')], 'longest streak|longest streaks|longest run|best run|streak|in a row|straight|consecutive|consecutively|running'],
  [[label('streak'), noun('wins')], 'longest wins|longest winning streak|winning streak|win streak|winning run'],
  [[label('streak'), noun('losses')], 'longest losses|longest losing streak|losing streak|loss streak|losing run|consecutive loss|straight loss'],
  [[noun('trades')], 'trades|trips|round trips|closed trades|completed trades'],
  [[between, noun('trades')], 'across all trades|over all trades|all trades|all your trades|all the trades|all of your trades|all of the trades'],
  [[{ is: 'noun', noun: 'trades', one: true }], 'trade|trip|round trip'],
  [[noun('wins')], 'wins|winners|winning trades|win|winner|winning trade'],
  [[noun('losses')], 'losses|losers|losing trades|loser|losing trade'],
  [[noun('days')], 'days|day|trading days|trading day|sessions|session'],
  [[noun('contracts')], 'contracts|contract|lots|lot'],
  [[won], 'won|winning'],
  [[good], 'profitable|green|positive'],
  [[bad], 'unprofitable|red|negative|losing'],
  [[lost], 'lost|lose|loses'],
  [[gain], 'made|make|makes|making|earned|earn|earns|earning|gained|gain|gains|gaining|profit|profits|up|brought in|added|adds|ahead|returned|netted gains|benefit|contributed|produced|in profit|credit'],
  [[loss], 'loss|cost|cost you|costs you|costing|down|gave up|deficit|bled|bleed|bleeds|bleeding|shed|paid|pay|burned|gave away|debit|in the red|dragged|loses money|damage|drain|drained|hurt|hurts|setback|shortfall|squandered|wasted|forfeited|surrendered|torched|evaporated|ate|eaten|eats|eroded|leaked|sank|suffered|incurred|conceded|blew|tanked|underwater|detracted|deducted|penalty|toll|bleak|removed|took away'],
  [[other], 'other|others|the other|the others|the rest|other trades|the other trades'],
  [[other, others('weekday')], 'other days|the other days|other weekdays|the other weekdays'],
  [[other, others('hour')], 'other hours|the other hours'],
  [[other, others('product')], 'other products|the other products'],
  [[other, others('account')], 'other accounts|the other accounts'],
  [[other, others('side')], 'the other side'],
  [[parts], 'and|but|while|whereas|although|though|yet|then|as well as|with'],
  [[against], 'against|versus|vs|compared|compared with|compared to|relative to'],
  [[kind('size-after-loss', 'revenge', 'streak')], 'after a loss|after losses|after losing|after a losing trade|after losing trades|following a loss|after each loss'],
  [[kind('revenge')], 'revenge|revenge trade|revenge trades|revenge trading'],
  [[kind('streak')], 'after a losing streak|after a streak|after a streak of losses|after consecutive losses|after losses in a row'],
  [[kind('overtrading')], 'overtrading|days of overtrading|days with overtrading|overtrading days|overtraded days'],
  [[kind('early-exit')], 'early exit|early exits'],
  [[kind('rule-breach')], 'rule breach|rule breaches|breach days|days with a breach|days with a rule breach|days with rule breaches'],
  [[kind('account-consistency')], 'account consistency'],
  [[whole], 'this report|the report|this period|the period|over the period|over this period|overall|whole period|entire period|all accounts|whole report'],
  [[whole, sum], 'your total|the total|grand total|in total|in all|altogether|in sum'],
  [[span('day')], 'this day'],
  [[span('week')], 'this week|the week|over the week|over this week'],
  [[span('month')], 'this month|the month|over the month|over this month'],
  [[between], 'of|of which|of them|of these|of those that were|were|was|are|your|the|in|there were|there was|there are|there is'],
  [[between, sum], 'a total of'],
  [[sum], 'total|totals|totalled|totaled'],
  [[plain], 'p & l|pnl|profit and loss|may be chance|may be by chance|could be chance|might be chance|may be luck|this is about|it is about|this report covers|the report covers|came to|come to|comes to|amounted to|amounts to|added up to|averaged out to|result|the result|resulted in|number of|the number of'],
  // Phrases in which a word does not say what it says alone, and which no figure is proved beside.
  [[strange], 'in the long run|long run|long term|short term|as long as|so long as|in short ,|single best|single worst|what is more|more or less|once more|up to date|set up|ended up|end up|follow up|slowed down|break down|breaks down|broken down|come down|comes down|cut down|down to earth|at this hour|stop loss|stop losses|take profit|good news|no wonder|no doubt|no surprise|not surprisingly|other than that|other than|more often|above all|all in all|hold on|on the other hand|the other hand|make sure|makes sense|make sense|make up|paid off|pays off'],
  [[poison('if')], 'if|unless|would|could|should|without|except|excluding|excl|imagine|suppose|assuming|hypothetical|hypothetically|false|untrue|wrong|lie|lies'],
  [[poison('not')], 'not|never|no|none|nothing|neither|nor|instead|rather|might|may|cannot|ought|wont|barely|hardly|scarcely|lacking|missing|avoid|avoided|avoiding|skipped|skipping|missed|recouped|recoup|regained|offset|covered|erased|wiped|saved|saving|savings|cancelled|canceled|limited|capped|reduced|trimmed|stopped|prevented|escaped|clawed|repaired|won back|win back|deny|ignore|ignoring|beyond|besides|minus the|apart from|opposite|reverse|reversed'],
  [[poison('bound')], 'at least|at most|up to|nearly|almost|close to|north of|south of|exceeding|exceeds|exceeded|exceed|minimum|maximum|min|max|no more than|as much as|as many as|as little as|upwards of|short of|shy of|smaller|bigger|larger|greater|lower|higher|lowest|highest|smallest|top|bottom|largest|biggest|shortest|longer|shorter|ranging'],
  [[poison('change')], 'improved|improves|improving|improvement|increased|increase|increases|decreased|decrease|rose|rise|rises|rising|grew|grow|grows|growth|fell|fall|falls|dropped|drop|drops|declined|decline|climbed|jumped|slipped|changed|change|swing|swung|turned|recovered|recovery|up from|down from|away from|far from|aside from|came back|back to'],
  [[poison('multiple')], 'twice|thrice|once|double|doubled|doubles|doubling|triple|tripled|quadruple|quadrupled|twofold|threefold|fold|half|halved|halves|quarter|quarters|third|thirds|fifth|fifths|couple|pair|both|single|hundred|hundreds|thousand|thousands|million|dozens|millions|billion|grand|bucks|cents|tens|billions|trillion|bn|mm|mil|mio|tn|lakh|lakhs|lac|crore|crores|another|additional|additionally|extra|sum|combined|together|multiple|multiples|points|point|ticks|tick|basis'],
  [[poison('rate')], 'per|daily|weekly|monthly|hourly|yearly|annual|annually|annualised|annualized|a day|each day|every day|a week|each week|every week|a month|each month|every month|a session|each session|every session|an hour|each hour|every hour|a minute|each minute|a contract|each contract|every contract|each|every'],
  [[poison('when')], 'first|second|last|previous|prior|next|former|latter|respectively|yesterday|today|tomorrow|tonight|ago|morning|mornings|afternoon|afternoons|evening|evenings|night|nights|overnight|noon|midnight|midday|lunch|lunchtime|asia|asian|london|europe|european|york|weekend|weekends|premarket|earlier|fourth|sixth|seventh|eighth|ninth|tenth|sat|sun|march|mar|wed'],
  [[poison('figure')], 'median|variance|deviation|std|mode|projected|projection|expected|expect|forecast|target|goal|budget|limit|stop|payoff|ratio|sharpe|sortino|percentile|quartile|rank|ranked|expectation|potential|potentially|theoretical|simulated|buy|buys|buying|bought|sell|sells|selling|sold|sellers|buyers|bullish|bearish|open|unrealised|unrealized|risk|risked|slippage|spread|interest|tax|taxes|swap|exposure|margin|balance|equity|buffer|payout|payouts|deposit|withdrawal|evaluation|subscription|price|prices|volume|canadian|australian|singapore|zealand|opportunity|opportunities|worth|planned|hoped'],
  [[poison('market')], 'nasdaq|dow|russell|gold|silver|crude|bitcoin|ether|ethereum|mini|minis|micro|micros|dax|nikkei|treasury|treasuries|bund|bobl|schatz|copper|platinum|palladium|wheat|corn|soybeans|soybean|cattle|hogs|sugar|coffee|cocoa|cotton|stoxx|gas|oil|vix|yen|peso|franc|spx|spy|indices|metals|energies|energy|grains|currencies|equities|futures|options|stocks|bonds'],
]

/** A phrase, word by word, and what it stands for. */
export type Phrase = { readonly words: readonly string[]; readonly marks: readonly Mark[] }

const longestFirst = (one: Phrase, other_: Phrase): number => other_.words.length - one.words.length

/** All phrases by their first word, the longest first; of two that are equal the first in the table. */
export const phrases: ReadonlyMap<string, readonly Phrase[]> = new Map(
  [
    ...Map.groupBy(
      table.flatMap(([marks, texts]) => texts.split('|').map((text): Phrase => ({ words: text.split(' '), marks }))),
      ({ words }) => words[0] ?? '',
    ),
  ].map(([first, found]) => [first, found.sort(longestFirst)]),
)

/** Whole numbers that words say. */
export const numberWords: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, value): [string, number] => [word, value])
    .concat([['thirty', 30], ['forty', 40], ['fifty', 50], ['sixty', 60], ['seventy', 70], ['eighty', 80], ['ninety', 90], ['dozen', 12]]),
)

/** Words that make a bound or another claim of the figure right behind them. */
export const beforeFigure: ReadonlySet<string> = new Set(['over', 'under', 'within', 'between', 'from', 'until', 'till', 'since', 'past', 'after', 'before', 'by', 'than', 'above', 'below', 'to', 'near', 'toward', 'towards', 'beyond'])

/** Words for what groups are made of: a heading or a head of a table may say them, a claim may not. */
export const groupWords: ReadonlySet<string> = new Set('by day days weekday weekdays hour hours product products account accounts side sides week month key points figures findings facts result results summary details follow follows following'.split(' '))

/**
 * Words that leave the meaning of a claim as it is wherever they stand: all that are not in here or in the table are not
 * understood, and keep every claim of their stretch from being proved. No word belongs here that narrows ('best', 'early'),
 * that says how sure, wanted or whose something is, or that stands before a name and may turn it ('since', 'outside').
 */
export const neutral: ReadonlySet<string> = new Set(
  (
    'a an the you your is are was were been in on at of for during also too so'
  ).split(' '),
)

/** Verbs that are understood as well, but do not say of an amount what it is: 'you have $50'. */
export const plainVerbs: ReadonlySet<string> = new Set('has have had having traded took taken placed opened stood stands shows show showed covers'.split(' '))

/** Words that may stand before a figure, where they make it rough or count over it, and are not understood elsewhere. */
export const onlyBeforeFigure: ReadonlySet<string> = new Set(['about', 'around', 'roughly', 'approximately', 'approx', 'circa', 'some', 'over', 'across', 'from', 'exactly', 'precisely', 'just', 'only'])
