select erase_player($1) as was_there
