// Times of a fleet's frames.

/** Number of frames in the chart. */
const FRAMES = 240;
/** Duration of a frame in milliseconds, at 60 frames per second. */
const FRAME = 1000 / 60;

/** Chart of planning and drawing times, compared with the budget and a sixtieth of a second. */
class FrameChart {
  constructor(viewer, canvas) {
    this.viewer = viewer;
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.frames = [];
    new ResizeObserver(() => canvas.offsetParent && fitCanvas(this)).observe(canvas);
  }

  add(think, draw) {
    this.frames.push([think, draw]);
    if (this.frames.length > FRAMES) this.frames.shift();
  }

  draw() {
    if (!this.width) return;
    const { context, ratio, frames, width, height } = this, { theme } = this.viewer.palette, { budget } = this.viewer;
    const most = Math.max(FRAME * 1.2, budget * 1.2), scale = height / most, bar = width / FRAMES;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    frames.forEach(([think, draw], k) => {
      const x = width - (frames.length - k) * bar, high = Math.min(think, most) * scale;
      context.fillStyle = theme.kinds[0];
      context.fillRect(x, height - high, Math.max(1, bar - 0.5), high);
      context.fillStyle = theme.kinds[7];
      context.fillRect(x, height - high - draw * scale, Math.max(1, bar - 0.5), draw * scale);
    });
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'bottom';
    for (const [value, text] of [[budget, `budget ${budget} ms`], [FRAME, '60 frames a second']]) {
      const y = Math.round(height - value * scale) + 0.5;
      context.setLineDash([5, 3]);
      context.strokeStyle = context.fillStyle = theme.ink;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(0, y), context.lineTo(width, y);
      context.stroke();
      context.setLineDash([]);
      context.fillText(text, 4, y - 1);
    }
  }
}
