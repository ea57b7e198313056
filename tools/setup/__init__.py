"""Sets a checkout up: environment, engine, project, model.

Standard library only, so it runs before anything is installed.

    python3 -m tools.setup run      what `make talk` needs
    python3 -m tools.setup play     what `make play` needs as well
    python3 -m tools.setup dev      what `make test` needs as well

Each stage leaves a stamp that names what it was made from, written last: a finished stage is skipped, one that was
interrupted or made from other files is done again. What took minutes (the compiled engine) is kept outside the
environment, under ``.cache/wheels``, by a key of everything it depends on.
"""
