// Games in the manner of CGOS, through Sabaki's own library; a report as JSON on stdout.
// node sabaki_games.mjs JOB, which is JSON: see cgos_games.py
import gtp from '@sabaki/gtp'

const MOST_MOVES = 500
const PATIENCE = 20 // seconds for an answer, beyond what the clock has

const job = JSON.parse(process.argv[2])
const report = { complaints: [], games: [] }
const seconds = () => performance.now() / 1000

/** A player that CGOS's client keeps for all of its games. */
class Player {
  constructor(name, [command, ...args]) {
    this.name = name
    this.nAsked = this.nAnswers = 0
    this.isInReply = false
    this.controller = new gtp.Controller(command, args, { cwd: job.directory })
    this.controller.on('stderr', ({ content }) => console.error(`${name}: ${content}`))
    this.controller.start()
    this.readStrictly(this.controller.process.stdout)
  }

  complain(text) {
    report.complaints.push(`${this.name}: ${text}`)
  }

  /** Beside the library, which passes over what is no reply. */
  readStrictly(stdout) {
    let rest = ''
    stdout.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()
      for (const line of lines) {
        if (this.isInReply) this.isInReply = line !== ''
        else if (/^[=?]/.test(line)) this.isInReply = ++this.nAnswers > 0
        else this.complain(`a line that is no answer: ${JSON.stringify(line)}`)
      }
    })
  }

  async ask(line, patience = PATIENCE) {
    const [name, ...args] = line.split(' ')
    this.nAsked++
    let timer
    const late = new Promise((_, reject) => {
      const error = new Error(`${this.name}: no answer to ${line} in ${patience} s`)
      timer = setTimeout(() => reject(error), 1000 * patience)
    })
    const response = await Promise.race([this.controller.sendCommand({ name, args }), late])
    clearTimeout(timer)
    if (response.error) this.complain(`${line}: ${response.content}`)
    return response.content
  }

  async begin() {
    this.commands = (await this.ask('list_commands')).split('\n')
  }

  /** As CGOS's client: the board is cleared last. */
  async setUp() {
    await this.ask(`boardsize ${job.size}`)
    await this.ask(`komi ${job.komi}`)
    await this.ask(`time_settings ${job.seconds} 0 0`)
    await this.ask('clear_board')
  }

  async genmove(color, left, isAnalysing) {
    await this.ask(`time_left ${color} ${Math.floor(left)} 0`)
    const command = 'kata-genmove_analyze' // what CGOS's client takes where it is there
    if (!isAnalysing || !this.commands.includes(command))
      return this.ask(`genmove ${color}`, left + PATIENCE)
    const answer = await this.ask(`${command} ${color} ownership true`, left + PATIENCE)
    const lines = answer.split('\n').filter((line) => line !== '')
    const move = lines.pop()
    if (!lines.length || !lines.every((line) => /^info move .* ownership /.test(line)))
      this.complain(`an analysis with no information: ${answer}`)
    if (!/^play [^ ]+$/.test(move)) this.complain(`no move in ${move}`)
    return move.slice('play '.length)
  }

  async end() {
    this.nAsked++ // quit
    const stopped = new Promise((done) => this.controller.once('stopped', done))
    this.controller.stop(PATIENCE * 1000)
    const { signal } = await stopped
    if (signal !== 0) this.complain(`ended with ${signal}`)
    if (this.nAnswers !== this.nAsked) this.complain(`${this.nAnswers} replies to ${this.nAsked}`)
  }
}

async function play(black, white, isAnalysing) {
  const sides = { b: black, w: white }
  const left = { b: job.seconds, w: job.seconds }
  const game = { black: black.name, moves: [], seconds: [], end: 'passes' }
  report.games.push(game)
  for (const player of [black, white]) await player.setUp()
  for (let color = 'b', other = 'w'; ; [color, other] = [other, color]) {
    const asked = seconds()
    const vertex = (await sides[color].genmove(color, left[color], isAnalysing)).toLowerCase()
    const used = seconds() - asked
    left[color] -= used
    game.moves.push(vertex)
    game.seconds.push(used)
    if (left[color] < 0) game.end = 'time'
    else if (vertex === 'resign') game.end = 'resignation'
    else if (game.moves.length > MOST_MOVES) game.end = 'no end'
    else if (game.moves.slice(-2).join(' ') !== 'pass pass') {
      await sides[other].ask(`play ${color} ${vertex}`)
      continue
    }
    return
  }
}

const players = Object.entries(job.players).map(([name, command]) => new Player(name, command))
for (const player of players) await player.begin()
for (let number = 0; number < job.games; number++) {
  const [black, white] = number % 2 ? players.toReversed() : players
  await play(black, white, number % 4 < 2)
}
for (const player of players) await player.end()
report.commands = players.reduce((sum, player) => sum + player.nAsked, 0)
console.log(JSON.stringify(report))
